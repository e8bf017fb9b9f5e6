// K over clusters, C summed inside them: 898 cycles, 2,430 MACs with two_levels.hw.
Network two_levels {
  Layer conv {
    Type: CONV
    Dimensions { K: 5, C: 6, R: 3, S: 3, Y: 5, X: 5 }
    Dataflow {
      SpatialMap(1,1) K;
      TemporalMap(4,4) C;
      TemporalMap(Sz(R),Sz(R)) R;
      TemporalMap(Sz(S),Sz(S)) S;
      TemporalMap(3,1) Y;
      TemporalMap(3,1) X;
      Cluster(2, P);
      SpatialMap(1,1) C;
      TemporalMap(1,1) K;
      TemporalMap(3,3) R;
      TemporalMap(3,3) S;
      TemporalMap(3,3) Y;
      TemporalMap(3,3) X;
    }
  }
}
