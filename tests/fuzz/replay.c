// replay.c - main() of a fuzz target without libFuzzer: feeds it the empty input, then every file
// named on the command line or found in a folder named there.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

// false if `path` is no readable regular file
static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    long n = ftell(file);
    rewind(file);
    // exactly n bytes, so that a read beyond them is seen
    uint8_t *data = n >= 0 ? malloc(n ? (size_t)n : 1) : NULL;
    int whole = data && fread(data, 1, (size_t)n, file) == (size_t)n;
    if (whole) LLVMFuzzerTestOneInput(data, (size_t)n);
    free(data);
    fclose(file);
    return whole;
}

static int replay_folder(const char *path, DIR *folder) {
    int n_files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        n_files += replay_file(name);
    }
    return n_files;
}

int main(int argc, char **argv) {
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    int n_files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        int n = folder ? replay_folder(argv[i], folder) : replay_file(argv[i]);
        if (folder) closedir(folder);
        if (!n) {
            fprintf(stderr, "%s: nothing to replay\n", argv[i]);
            return 1;
        }
        n_files += n;
    }
    printf("%d inputs replayed\n", n_files);
    return 0;
}
