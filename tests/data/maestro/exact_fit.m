// One level, tiles that fit: 35 cycles, 128 MACs with exact_fit.hw.
Network exact_fit {
  Layer conv {
    Type: CONV
    Dimensions { K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4 }
    Dataflow {
      SpatialMap(1,1) K;
      TemporalMap(1,1) C;
      TemporalMap(1,1) R;
      TemporalMap(1,1) S;
      TemporalMap(4,4) Y;
      TemporalMap(4,4) X;
    }
  }
}
