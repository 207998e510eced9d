"""What tools/compare-regressors is made of."""
