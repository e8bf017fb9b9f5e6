Network mine {
Layer a { Type: CONV Stride { X: 2, Y: 2 } Dimensions { K 8, C 4, R 3, S 3, Y 9, X 9 } }
Layer b-1 { Type: GEMM Dimensions { M 3, N 4, K 5 } Dataflow { SpatialMap(1,1) M } }
Layer a { Type: DSCONV Dimensions { C 4, R 3, S 3, Y 9, X 9 } }
}
