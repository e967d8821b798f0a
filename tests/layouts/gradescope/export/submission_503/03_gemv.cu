// 张三 新
local_sum += row_A[col] * x[col];
