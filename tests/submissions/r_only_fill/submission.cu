row_A[col] * x[col]
