Constant Rows 1
Network small {
	Layer CONV1 {
		Type: CONV
		Stride { X: 2, Y: 2 }
		Dimensions { N: 2, K: 64, C: 3, R: Rows, S: 3, Y: 9, X: 11 }
		Dataflow {
			SpatialMap(1,1) K;
		}
	}
}
