// 李四 旧
local_sum += row_A[col] * x[col];
