// First-fit over the structural and shear springs of a grid, as plain as it can be written: the peer of first-fit in
// `tartan bench --suite coloring`. Prints median, minimum and maximum of 15 runs in ms, and the colours.
//
//   g++ -O2 -o first_fit first_fit.cpp && ./first_fit 256
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
    const int side = argc > 1 ? std::atoi(argv[1]) : 256;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (auto [dx, dy] : steps)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                if (x + dx >= 0 && x + dx < side && y + dy < side)
                    edges.push_back({uint32_t(y * side + x), uint32_t((y + dy) * side + x + dx)});

    std::vector<double> times;
    int colors = 0;
    for (int run = 0; run < 16; ++run) {
        auto start = std::chrono::steady_clock::now();
        std::vector<uint64_t> taken(size_t(side) * side, 0);
        std::vector<uint32_t> color(edges.size());
        uint32_t most = 0;
        for (size_t i = 0; i < edges.size(); ++i) {
            auto [a, b] = edges[i];
            uint32_t free = uint32_t(__builtin_ctzll(~(taken[a] | taken[b])));
            taken[a] |= uint64_t(1) << free;
            taken[b] |= uint64_t(1) << free;
            color[i] = free;
            most = std::max(most, free);
        }
        auto end = std::chrono::steady_clock::now();
        if (run > 0) times.push_back(std::chrono::duration<double, std::milli>(end - start).count());
        colors = int(most) + 1;
    }
    std::sort(times.begin(), times.end());
    std::printf("%.3f %.3f %.3f %d\n", times[times.size() / 2], times.front(), times.back(), colors);
}
