/*
 * A shim between a program and its files, for tests: `LD_PRELOAD=write-log.so program`.
 *
 * It logs what happens to the files under WRITE_LOG_ROOT, so that the disk of any moment can be built again; it
 * makes chosen writes and syncs fail; and it makes the disk as small as wanted. All real work is done by system
 * calls, so that nothing of the C library is called twice. -shm files are left alone: SQLite maps them and makes
 * them anew at each start.
 *
 * WRITE_LOG_ROOT     the folder that is watched, an absolute path without links.
 * WRITE_LOG_FILE     where records are appended; none are when it is not set.
 * WRITE_LOG_CAPACITY the size of the disk in bytes; no limit when it is not set.
 * WRITE_LOG_CONTROL  a file outside the root. What the program writes to it are commands, one a write:
 *   mark TEXT            logs the text: the program has told somebody something
 *   arm OP KIND N STICKY OP write or sync; KIND EIO, ENOSPC, TORN or KILL; the N-th from now, and all after it
 *                        when STICKY is 1
 *   disarm
 *   report               writes `WRITES SYNCS FIRED`, since the last arm, to <WRITE_LOG_CONTROL>.report
 *
 * A record is four numbers in the machine's order, then bytes: u32 kind, u32 length of the bytes, u64 inode,
 * u64 offset.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE = 1, TRUNCATE, SYNC, SYNC_FOLDER, CREATE, LINK, UNLINK, RENAME, MKDIR, MARK };
enum fault { NONE, FAIL_EIO, FAIL_ENOSPC, TORN, KILL };
enum operation { WRITES, SYNCS };

static char root[PATH_MAX];
static size_t root_length;
static char control[PATH_MAX];
static int log_descriptor = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  enum operation operation;
  enum fault kind;
  long at;
  int is_sticky;
} armed;
static long counts[2];
static int fired;
/* The file whose next write has to fail, because the one before was torn. */
static ino_t torn_inode;
static uint64_t capacity;

__attribute__((constructor)) static void begin(void) {
  const char *value = getenv("WRITE_LOG_ROOT");
  if (value == NULL) return;
  snprintf(root, sizeof root, "%s", value);
  root_length = strlen(root);
  if ((value = getenv("WRITE_LOG_CONTROL")) != NULL) snprintf(control, sizeof control, "%s", value);
  if ((value = getenv("WRITE_LOG_CAPACITY")) != NULL) capacity = strtoull(value, NULL, 10);
  if ((value = getenv("WRITE_LOG_FILE")) != NULL)
    log_descriptor = syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_watched(const char *path) {
  size_t length = strlen(path);
  if (root_length == 0 || strncmp(path, root, root_length) != 0) return 0;
  if (path[root_length] != '/' && path[root_length] != 0) return 0;
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

/* The path behind a descriptor; false for what is no file or folder. */
static int path_of(int descriptor, char *path) {
  char link[64];
  if (root_length == 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0 || path[0] != '/') return 0;
  path[length] = 0;
  return 1;
}

static ino_t inode_of(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static void record(enum kind kind, uint64_t inode, uint64_t offset, const void *bytes, size_t length) {
  if (log_descriptor < 0) return;
  struct __attribute__((packed)) {
    uint32_t kind, length;
    uint64_t inode, offset;
  } head = {kind, (uint32_t)length, inode, offset};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
  if (syscall(SYS_writev, log_descriptor, parts, 2) != (long)(sizeof head + length)) abort();
}

static void record_path(enum kind kind, uint64_t inode, const char *path) {
  record(kind, inode, 0, path, strlen(path));
}

/* Whether this operation has to fail, and how; it never comes back from being killed. */
static enum fault next_fault(enum operation operation) {
  long count = ++counts[operation];
  if (armed.kind == NONE || armed.operation != operation) return NONE;
  if (armed.is_sticky ? count < armed.at : count != armed.at) return NONE;
  fired = 1;
  if (armed.kind == KILL) syscall(SYS_kill, getpid(), SIGKILL);
  return armed.kind;
}

static int fail_with(enum fault fault) {
  errno = fault == FAIL_ENOSPC ? ENOSPC : EIO;
  return -1;
}

static void report(void) {
  char path[PATH_MAX + 8], text[96];
  snprintf(path, sizeof path, "%s.report", control);
  int length = snprintf(text, sizeof text, "%ld %ld %d\n", counts[WRITES], counts[SYNCS], fired);
  int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (descriptor < 0 || syscall(SYS_write, descriptor, text, length) != length) abort();
  syscall(SYS_close, descriptor);
}

static void command(const char *bytes, size_t length) {
  char text[8192], operation[16], kind[16];
  long at;
  int is_sticky;
  snprintf(text, sizeof text, "%.*s", (int)length, bytes);
  if (strncmp(text, "mark ", 5) == 0) {
    record(MARK, 0, 0, bytes + 5, length - 5);
  } else if (sscanf(text, "arm %15s %15s %ld %d", operation, kind, &at, &is_sticky) == 4) {
    armed.operation = strcmp(operation, "sync") == 0 ? SYNCS : WRITES;
    armed.kind = strcmp(kind, "EIO") == 0      ? FAIL_EIO
                 : strcmp(kind, "ENOSPC") == 0 ? FAIL_ENOSPC
                 : strcmp(kind, "TORN") == 0   ? TORN
                                               : KILL;
    armed.at = at;
    armed.is_sticky = is_sticky;
    counts[WRITES] = counts[SYNCS] = fired = torn_inode = 0;
  } else if (strncmp(text, "disarm", 6) == 0) {
    armed.kind = NONE;
    torn_inode = 0;
  } else if (strncmp(text, "report", 6) == 0) {
    report();
  } else {
    abort();
  }
}

static uint64_t whole_blocks(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

static uint64_t used_under(const char *folder) {
  uint64_t used = 0;
  DIR *entries = opendir(folder);
  if (entries == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    char path[PATH_MAX + 256];
    struct stat found;
    if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (lstat(path, &found) != 0) continue;
    used += S_ISDIR(found.st_mode) ? used_under(path) : whole_blocks(found.st_size);
  }
  closedir(entries);
  return used;
}

static uint64_t free_bytes(void) {
  uint64_t used = used_under(root);
  return used >= capacity ? 0 : capacity - used;
}

/* How many of the bytes the small disk still takes. */
static size_t fitting(const struct stat *file, uint64_t offset, size_t length) {
  if (capacity == 0 || offset + length <= whole_blocks(file->st_size)) return length;
  uint64_t end = whole_blocks(file->st_size) + free_bytes() / 4096 * 4096;
  if (end <= offset) return 0;
  return end - offset < length ? end - offset : length;
}

static ssize_t plain_write(int descriptor, const struct iovec *parts, int count, off_t offset) {
  if (offset < 0) return syscall(SYS_writev, descriptor, parts, count);
  return syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
}

static ssize_t write_part(int descriptor, const struct stat *file, const char *bytes, size_t length, off_t at) {
  ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, length, at);
  if (written > 0) record(WRITE, file->st_ino, at, bytes, written);
  return written;
}

static ssize_t watched_write(int descriptor, const char *bytes, size_t length, off_t offset) {
  struct stat file;
  if (fstat(descriptor, &file) != 0) return -1;
  off_t at = offset;
  if (offset < 0) at = fcntl(descriptor, F_GETFL) & O_APPEND ? file.st_size : lseek(descriptor, 0, SEEK_CUR);
  enum fault fault = next_fault(WRITES);
  if (torn_inode == file.st_ino) {
    torn_inode = 0;
    return fail_with(FAIL_EIO);
  }
  size_t wanted = fitting(&file, at, length);
  if (wanted == 0 && length > 0) return fail_with(FAIL_ENOSPC);
  if (fault == TORN) {
    wanted = length >= 1024 ? length / 2 / 512 * 512 : length / 2;
    torn_inode = file.st_ino;
    if (wanted == 0) return fail_with(FAIL_EIO);
  } else if (fault != NONE) {
    return fail_with(fault);
  }
  ssize_t written = write_part(descriptor, &file, bytes, wanted, at);
  if (offset < 0 && written > 0) lseek(descriptor, at + written, SEEK_SET);
  return written;
}

static ssize_t any_write(int descriptor, const struct iovec *parts, int count, off_t offset) {
  char path[PATH_MAX];
  if (!path_of(descriptor, path)) return plain_write(descriptor, parts, count, offset);
  int is_command = control[0] != 0 && strcmp(path, control) == 0;
  if (!is_command && !is_watched(path)) return plain_write(descriptor, parts, count, offset);
  size_t length = 0, copied = 0;
  for (int index = 0; index < count; index++) length += parts[index].iov_len;
  char *bytes = malloc(length + 1);
  if (bytes == NULL) abort();
  for (int index = 0; index < count; copied += parts[index++].iov_len)
    memcpy(bytes + copied, parts[index].iov_base, parts[index].iov_len);
  pthread_mutex_lock(&lock);
  ssize_t result = length;
  if (is_command) command(bytes, length);
  else result = watched_write(descriptor, bytes, length, offset);
  int error = errno;
  pthread_mutex_unlock(&lock);
  free(bytes);
  errno = error;
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return any_write(descriptor, &part, 1, -1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return any_write(descriptor, parts, count, -1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  return any_write(descriptor, &part, 1, offset);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return any_write(descriptor, parts, count, offset);
}
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return pwritev64(descriptor, parts, count, offset);
}

int ftruncate64(int descriptor, off_t size) {
  char path[PATH_MAX];
  struct stat file;
  if (!path_of(descriptor, path) || !is_watched(path) || fstat(descriptor, &file) != 0)
    return syscall(SYS_ftruncate, descriptor, size);
  pthread_mutex_lock(&lock);
  enum fault fault = next_fault(WRITES);
  int result = fault == NONE ? syscall(SYS_ftruncate, descriptor, size) : fail_with(fault);
  int error = errno;
  if (result == 0) record(TRUNCATE, file.st_ino, size, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

static int any_sync(long call, int descriptor) {
  char path[PATH_MAX];
  struct stat file;
  if (!path_of(descriptor, path) || !is_watched(path) || fstat(descriptor, &file) != 0)
    return syscall(call, descriptor);
  pthread_mutex_lock(&lock);
  enum fault fault = next_fault(SYNCS);
  /* The real disk is not waited for: what a power cut would leave is built from the log. */
  int result = fault == NONE ? 0 : fail_with(fault);
  int error = errno;
  if (result == 0 && S_ISDIR(file.st_mode)) record_path(SYNC_FOLDER, file.st_ino, path);
  else if (result == 0) record(SYNC, file.st_ino, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int fsync(int descriptor) { return any_sync(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return any_sync(SYS_fdatasync, descriptor); }

static int any_open(int folder, const char *path, int flags, mode_t mode) {
  if (!is_watched(path) || !(flags & (O_CREAT | O_TRUNC))) return syscall(SYS_openat, folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  ino_t before = inode_of(path);
  int descriptor = syscall(SYS_openat, folder, path, flags, mode);
  int error = errno;
  if (descriptor >= 0 && before == 0) record_path(CREATE, inode_of(path), path);
  else if (descriptor >= 0 && (flags & O_TRUNC)) record(TRUNCATE, before, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return any_open(AT_FDCWD, path, flags, mode);
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return any_open(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return any_open(folder, path, flags, mode);
}

/* Runs a system call that changes names, and logs it when it was done. */
#define NAMES(watched, call, logged)             \
  if (!(watched)) return (call);                 \
  pthread_mutex_lock(&lock);                     \
  int result = (call);                           \
  int error = errno;                             \
  if (result == 0) logged;                       \
  pthread_mutex_unlock(&lock);                   \
  errno = error;                                 \
  return result;

int unlink(const char *path) {
  NAMES(is_watched(path), syscall(SYS_unlinkat, AT_FDCWD, path, 0), record_path(UNLINK, 0, path))
}
static int any_remove(const char *path) {
  int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : result;
}
int remove(const char *path) { NAMES(is_watched(path), any_remove(path), record_path(UNLINK, 0, path)) }
/* Below a folder that is open: what removes whole trees asks so. */
int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX] = "", whole[2 * PATH_MAX];
  if (folder != AT_FDCWD && name[0] != '/' && path_of(folder, path)) strcat(path, "/");
  snprintf(whole, sizeof whole, "%s%s", path, name);
  NAMES(is_watched(whole), syscall(SYS_unlinkat, folder, name, flags), record_path(UNLINK, 0, whole))
}
int mkdir(const char *path, mode_t mode) {
  NAMES(is_watched(path), syscall(SYS_mkdirat, AT_FDCWD, path, mode), record_path(MKDIR, inode_of(path), path))
}
int link(const char *from, const char *to) {
  NAMES(is_watched(to), syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), record_path(LINK, inode_of(to), to))
}
static void record_rename(const char *from, const char *to) {
  char both[2 * PATH_MAX];
  int length = snprintf(both, sizeof both, "%s\n%s", from, to);
  record(RENAME, inode_of(to), 0, both, length);
}
int rename(const char *from, const char *to) {
  NAMES(is_watched(to), syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), record_rename(from, to))
}

static int any_statfs(const char *path, struct statfs *answer) {
  int result = syscall(SYS_statfs, path, answer);
  if (result != 0 || capacity == 0 || !is_watched(path)) return result;
  pthread_mutex_lock(&lock);
  answer->f_bsize = answer->f_frsize = 4096;
  answer->f_blocks = capacity / 4096;
  answer->f_bfree = answer->f_bavail = free_bytes() / 4096;
  pthread_mutex_unlock(&lock);
  return 0;
}
int statfs(const char *path, struct statfs *answer) { return any_statfs(path, answer); }
int statfs64(const char *path, struct statfs64 *answer) { return any_statfs(path, (struct statfs *)answer); }
