extern "C" void harness_launch(void* const* buffers, const int* sizes, int, cudaStream_t stream) {
    launch_scale((float*)buffers[0], (float*)buffers[1], (float*)buffers[2], sizes[0], stream);
}
