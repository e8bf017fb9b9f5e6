// 11 rows over 2 PEs in tiles of 3: the last two rows are lost. 14 cycles, 16 of 22 MACs with
// lost_edge.hw.
Network lost_edge {
  Layer gemm {
    Type: GEMM
    Dimensions { M: 11, N: 1, K: 2 }
    Dataflow {
      SpatialMap(3,3) M;
      TemporalMap(1,1) N;
      TemporalMap(2,2) K;
    }
  }
}
