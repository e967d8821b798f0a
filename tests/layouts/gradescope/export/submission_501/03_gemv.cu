// 张三 旧
local_sum += row_A[col] * x[col];
