/* Objects are made with the C compiler of the machine. */
#include "base/shared_object.h"

#include "base/base_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

static const host_function host[] = {
    {"strlen", (any_function *)strlen}, {"qsort", (any_function *)qsort}, {NULL, NULL}};

typedef struct objects_fixture {
  char folder[40];
  char path[80];
  shared_object object;
} objects_fixture;

static int set_up_folder(void **state) {
  static objects_fixture f;
  f = (objects_fixture){.folder = "/tmp/tabia-object-XXXXXX"};
  *state = &f;
  if (!mkdtemp(f.folder)) return -1;
  snprintf(f.path, sizeof f.path, "%s/object.so", f.folder);
  return 0;
}

static int tear_down_folder(void **state) {
  objects_fixture *f = *state;
  shared_object_unload(&f->object);
  unlink(f->path);
  return rmdir(f->folder);
}

static int build_with(const objects_fixture *f, const char *option, const char *words) {
  char command[200];
  snprintf(command, sizeof command, "cc -w -O1 -fPIC -shared %s -x c - -o '%s' 2>/dev/null", option,
           f->path);
  FILE *compiler = popen(command, "w");
  assert_non_null(compiler);
  fputs(words, compiler);
  return pclose(compiler);
}

static void build(const objects_fixture *f, const char *words) {
  assert_int_equal(build_with(f, "", words), 0);
}

typedef int number_function(int);

static number_function *load(objects_fixture *f, const char *name) {
  return (number_function *)shared_object_load(&f->object, f->path, name, host);
}

static void data_points_to_data(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "static const char *const words[] = {\"one\", \"three\"};\n"
           "static int total;\n"
           "int *where = &total;\n"
           "int answer(int i) { *where += words[i][0]; return total; }\n");
  number_function *answer = load(f, "answer");
  assert_non_null(answer);
  assert_int_equal(answer(0), 'o');
  assert_int_equal(answer(1), 'o' + 't');
}

/* As some linkers write the places that an address is added to. */
static void packed_relocations_are_read(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler() ||
      build_with(f, "-Wl,-z,pack-relative-relocs",
                 "static int a = 1, b = 20, c = 300;\n"
                 "static int *few[] = {&a, &b, &c};\n"
                 "static int *many[200] = {[7] = &b, [150] = &c};\n"
                 "int answer(int i) { return *few[i] + *many[7] + *many[150]; }\n") != 0)
    skip();
  number_function *answer = load(f, "answer");
  assert_non_null(answer);
  assert_int_equal(answer(0), 321);
  assert_int_equal(answer(2), 620);
}

static void functions_of_the_host_are_called(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "#include <stdlib.h>\n#include <string.h>\n"
           "static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n"
           "static char text[] = \"four\";\n"
           "void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;\n"
           "int answer(int n) {\n"
           "  int all[3] = {n, 7, 1};\n"
           "  text[0] = n;\n"
           "  sort(all, 3, sizeof *all, compare);\n"
           "  return all[1] * 10 + strlen(text);\n"
           "}\n");
  number_function *answer = load(f, "answer");
  assert_non_null(answer);
  assert_int_equal(answer(5), 54);
}

/* More than a page, behind data that comes from the file. */
static void what_is_not_set_is_zero(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "int set[5] = {1, 2, 3, 4, 5};\n"
           "int unset[5000];\n"
           "int answer(int n) {\n"
           "  int sum = set[4];\n"
           "  for (int i = 0; i < 5000; i++) sum += unset[i] != 0;\n"
           "  unset[4999] = n;\n"
           "  return sum;\n"
           "}\n");
  number_function *answer = load(f, "answer");
  assert_non_null(answer);
  assert_int_equal(answer(9), 5);
  assert_int_equal(answer(9), 6);
}

static void a_function_that_nobody_has_is_refused(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "int nobody_has_this(int);\nint answer(int n) { return nobody_has_this(n); }\n");
  assert_null(load(f, "answer"));
  assert_null(f->object.memory);
}

static void a_name_that_is_not_there_is_refused(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "int answer(int n) { return n; }\n");
  assert_null(load(f, "question"));
  assert_null(f->object.memory);
}

static void what_is_no_object_is_refused(void **state) {
  objects_fixture *f = *state;
  static const char *const contents[] = {"", "#!/bin/sh\n", "\177ELF"};
  assert_null(load(f, "answer"));
  for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
    FILE *file = fopen(f->path, "w");
    fputs(contents[i], file);
    fclose(file);
    assert_null(load(f, "answer"));
  }
}

/* As a file is that was being written when the machine stopped. */
static void an_object_that_is_cut_short_is_refused(void **state) {
  objects_fixture *f = *state;
  if (!has_compiler()) skip();
  build(f, "int answer(int i) { return i; }\n");
  struct stat about;
  assert_int_equal(stat(f->path, &about), 0);
  for (off_t size = about.st_size - 1; size > 0; size -= 997) {
    assert_int_equal(truncate(f->path, size), 0);
    assert_null(load(f, "answer"));
  }
}

int main(void) {
#define OBJECT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_folder, tear_down_folder)
  const struct CMUnitTest tests[] = {
      OBJECT_TEST(data_points_to_data),
      OBJECT_TEST(packed_relocations_are_read),
      OBJECT_TEST(functions_of_the_host_are_called),
      OBJECT_TEST(what_is_not_set_is_zero),
      OBJECT_TEST(a_function_that_nobody_has_is_refused),
      OBJECT_TEST(a_name_that_is_not_there_is_refused),
      OBJECT_TEST(what_is_no_object_is_refused),
      OBJECT_TEST(an_object_that_is_cut_short_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
