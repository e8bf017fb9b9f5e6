Network mine {

Layer one {
Type: GEMM
Dimensions { M: 4, N: 6, K: 8 }
Dataflow { SpatialMap(1,1) M; TemporalMap(2,3) N; TemporalMap(8,8) K; }
}
}
