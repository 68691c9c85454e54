#include "base/shared_object.h"

#if SHARED_OBJECT_LOADS_ELF

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* The object as it lies on disk. */
typedef struct elf_file {
  int descriptor;
  const unsigned char *bytes; /* all of it, for reading */
  size_t size;
  const Elf64_Ehdr *header;
  const Elf64_Phdr *segments; /* header->e_phnum */
} elf_file;

/* What its dynamic section tells. */
typedef struct elf_dynamic {
  const Elf64_Sym *symbols;
  const char *names;
  uint64_t places[2], sizes[2]; /* of the relocations of data, and of calls */
  uint64_t packed, packed_size; /* of those that add the address of the object, as bits */
} elf_dynamic;

static uint64_t page_of(uint64_t address) { return address & ~(uint64_t)(PAGE - 1); }

static uint64_t page_after(uint64_t address) { return page_of(address + PAGE - 1); }

/* ---- the file ---- */

static bool file_holds(const elf_file *f, uint64_t at, uint64_t size) {
  return at <= f->size && size <= f->size - at;
}

static bool read_header(elf_file *f) {
  const Elf64_Ehdr *h = f->header = (const void *)f->bytes;
  if (!file_holds(f, 0, sizeof *h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_type != ET_DYN) return false;
  if (h->e_machine != EM_X86_64 || h->e_phentsize != sizeof(Elf64_Phdr)) return false;
  f->segments = (const void *)(f->bytes + h->e_phoff);
  return file_holds(f, h->e_phoff, h->e_phnum * sizeof *f->segments) &&
         file_holds(f, h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr));
}

static bool open_file(elf_file *f, const char *path) {
  *f = (elf_file){.descriptor = open(path, O_RDONLY | O_CLOEXEC)};
  struct stat about;
  if (f->descriptor < 0) return false;
  if (fstat(f->descriptor, &about) != 0 || about.st_size <= 0) return false;
  void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, f->descriptor, 0);
  if (bytes == MAP_FAILED) return false;
  f->bytes = bytes;
  f->size = (size_t)about.st_size;
  return read_header(f);
}

static void close_file(elf_file *f) {
  if (f->bytes) munmap((void *)(uintptr_t)f->bytes, f->size);
  if (f->descriptor >= 0) close(f->descriptor);
}

/* ---- segments ---- */

static int protection_of(const Elf64_Phdr *p) {
  return (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_W ? PROT_WRITE : 0) |
         (p->p_flags & PF_X ? PROT_EXEC : 0);
}

/* One stretch of addresses for all segments, so that their distances are kept. */
static bool reserve(shared_object *o, const elf_file *f) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < f->header->e_phnum; i++) {
    const Elf64_Phdr *p = &f->segments[i];
    if (p->p_type != PT_LOAD) continue;
    if (p->p_filesz > p->p_memsz || p->p_memsz > SIZE_MAX / 2 - p->p_vaddr) return false;
    if (p->p_vaddr + p->p_memsz > end) end = p->p_vaddr + p->p_memsz;
  }
  if (!end) return false;
  void *memory = mmap(NULL, page_after(end), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  *o = (shared_object){.memory = memory, .size = page_after(end)};
  return true;
}

/* What a segment has beyond its part of the file is zero: the rest of its last page, which has the
   file's next bytes, and whole pages. */
static bool clear_rest(shared_object *o, const Elf64_Phdr *p) {
  const uint64_t end = p->p_vaddr + p->p_memsz, filled = p->p_vaddr + p->p_filesz;
  const uint64_t whole = page_after(filled);
  memset(o->memory + filled, 0, (whole < end ? whole : end) - filled);
  if (whole >= end) return true;
  return mmap(o->memory + whole, end - whole, protection_of(p),
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static bool map_segment(shared_object *o, const elf_file *f, const Elf64_Phdr *p) {
  const uint64_t start = page_of(p->p_vaddr), before = p->p_vaddr - start;
  const bool is_cleared = p->p_memsz > p->p_filesz;
  if (!file_holds(f, p->p_offset, p->p_filesz) || p->p_offset < before) return false;
  if (is_cleared && !(p->p_flags & PF_W && p->p_filesz)) return false;
  if (p->p_filesz &&
      mmap(o->memory + start, p->p_filesz + before, protection_of(p), MAP_PRIVATE | MAP_FIXED,
           f->descriptor, (off_t)(p->p_offset - before)) == MAP_FAILED)
    return false;
  return !is_cleared || clear_rest(o, p);
}

static bool map_segments(shared_object *o, const elf_file *f) {
  if (!reserve(o, f)) return false;
  for (uint32_t i = 0; i < f->header->e_phnum; i++)
    if (f->segments[i].p_type == PT_LOAD && !map_segment(o, f, &f->segments[i])) return false;
  return true;
}

/* What only relocations write to is read-only from now on. */
static bool protect_relocated(shared_object *o, const elf_file *f) {
  for (uint32_t i = 0; i < f->header->e_phnum; i++) {
    const Elf64_Phdr *p = &f->segments[i];
    if (p->p_type != PT_GNU_RELRO) continue;
    const uint64_t start = page_of(p->p_vaddr), end = page_of(p->p_vaddr + p->p_memsz);
    if (end > start && mprotect(o->memory + start, end - start, PROT_READ) != 0) return false;
  }
  return true;
}

/* ---- relocations ---- */

/* False: there are relocations of a kind that we do not know. */
static bool note_dynamic(elf_dynamic *y, const Elf64_Dyn *d, const shared_object *o) {
  switch (d->d_tag) {
    case DT_SYMTAB: y->symbols = (const void *)(o->memory + d->d_un.d_ptr); return true;
    case DT_STRTAB: y->names = (const void *)(o->memory + d->d_un.d_ptr); return true;
    case DT_RELA: y->places[0] = d->d_un.d_ptr; return true;
    case DT_RELASZ: y->sizes[0] = d->d_un.d_val; return true;
    case DT_JMPREL: y->places[1] = d->d_un.d_ptr; return true;
    case DT_PLTRELSZ: y->sizes[1] = d->d_un.d_val; return true;
    case DT_RELR: y->packed = d->d_un.d_ptr; return true;
    case DT_RELRSZ: y->packed_size = d->d_un.d_val; return true;
    case DT_TEXTREL:
    case DT_REL: return false;
    default: return true;
  }
}

static bool read_dynamic(elf_dynamic *y, const shared_object *o, const elf_file *f) {
  *y = (elf_dynamic){0};
  for (uint32_t i = 0; i < f->header->e_phnum; i++) {
    if (f->segments[i].p_type != PT_DYNAMIC) continue;
    const Elf64_Dyn *d = (const void *)(o->memory + f->segments[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      if (!note_dynamic(y, d, o)) return false;
  }
  return y->symbols && y->names;
}

static const host_function *find_host(const host_function *host, const char *name) {
  for (; host->name; host++)
    if (strcmp(host->name, name) == 0) return host;
  return NULL;
}

/* The address of a symbol; one that may be missing is 0.  False: it is missing and may not be. */
static bool resolve(const shared_object *o, const elf_dynamic *y, uint32_t number,
                    const host_function *host, uint64_t *address) {
  const Elf64_Sym *s = &y->symbols[number];
  *address = 0;
  if (s->st_shndx != SHN_UNDEF) {
    *address = (uintptr_t)o->memory + s->st_value;
    return true;
  }
  const host_function *found = find_host(host, y->names + s->st_name);
  if (found) *address = (uintptr_t)found->address;
  return found || ELF64_ST_BIND(s->st_info) == STB_WEAK;
}

static bool relocate(shared_object *o, const elf_dynamic *y, const Elf64_Rela *r,
                     const host_function *host) {
  uint64_t value = 0;
  switch (ELF64_R_TYPE(r->r_info)) {
    case R_X86_64_RELATIVE: value = (uintptr_t)o->memory; break;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
      if (!resolve(o, y, (uint32_t)ELF64_R_SYM(r->r_info), host, &value)) return false;
      break;
    default: return false;
  }
  value += (uint64_t)r->r_addend;
  memcpy(o->memory + r->r_offset, &value, sizeof value);
  return true;
}

static void add_address(shared_object *o, uint64_t place) {
  uint64_t value;
  memcpy(&value, o->memory + place, sizeof value);
  value += (uintptr_t)o->memory;
  memcpy(o->memory + place, &value, sizeof value);
}

/* An even word is a place; an odd one has a bit for each of the 63 places behind the last. */
static void relocate_packed(shared_object *o, const elf_dynamic *y) {
  const uint64_t *words = (const void *)(o->memory + y->packed);
  uint64_t place = 0;
  for (uint64_t i = 0; i < y->packed_size / sizeof *words; i++) {
    if (words[i] & 1) {
      for (uint32_t bit = 1; bit < 64; bit++)
        if (words[i] >> bit & 1) add_address(o, place + (bit - 1) * sizeof *words);
      place += 63 * sizeof *words;
    } else {
      add_address(o, words[i]);
      place = words[i] + sizeof *words;
    }
  }
}

static bool relocate_all(shared_object *o, const elf_file *f, const host_function *host) {
  elf_dynamic y;
  if (!read_dynamic(&y, o, f)) return false;
  relocate_packed(o, &y);
  for (int part = 0; part < 2; part++) {
    const Elf64_Rela *r = (const void *)(o->memory + y.places[part]);
    for (uint64_t i = 0; i < y.sizes[part] / sizeof *r; i++)
      if (!relocate(o, &y, &r[i], host)) return false;
  }
  return protect_relocated(o, f);
}

/* ---- names ---- */

static any_function *function_at(const shared_object *o, uint64_t place) {
  const unsigned char *address = o->memory + place;
  any_function *function;
  memcpy(&function, &address, sizeof function);
  return function;
}

static any_function *find_in_table(const shared_object *o, const elf_file *f,
                                   const Elf64_Shdr *table, const Elf64_Shdr *names,
                                   const char *name) {
  if (!file_holds(f, table->sh_offset, table->sh_size) ||
      !file_holds(f, names->sh_offset, names->sh_size))
    return NULL;
  const Elf64_Sym *symbols = (const void *)(f->bytes + table->sh_offset);
  const char *words = (const char *)f->bytes + names->sh_offset;
  for (uint64_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_shndx != SHN_UNDEF && strcmp(words + symbols[i].st_name, name) == 0)
      return function_at(o, symbols[i].st_value);
  return NULL;
}

static any_function *find_function(const shared_object *o, const elf_file *f, const char *name) {
  const Elf64_Shdr *sections = (const void *)(f->bytes + f->header->e_shoff);
  for (uint32_t i = 0; i < f->header->e_shnum; i++)
    if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < f->header->e_shnum)
      return find_in_table(o, f, &sections[i], &sections[sections[i].sh_link], name);
  return NULL;
}

/* ---- what others see ---- */

any_function *shared_object_load(shared_object *o, const char *path, const char *name,
                                 const host_function *host) {
  *o = (shared_object){0};
  elf_file f;
  any_function *found = NULL;
  if (open_file(&f, path) && map_segments(o, &f) && relocate_all(o, &f, host))
    found = find_function(o, &f, name);
  close_file(&f);
  if (!found) shared_object_unload(o);
  return found;
}

void shared_object_unload(shared_object *o) {
  if (o->memory) munmap(o->memory, o->size);
  *o = (shared_object){0};
}

#else

#include <dlfcn.h>
#include <string.h>

any_function *shared_object_load(shared_object *o, const char *path, const char *name,
                                 const host_function *host) {
  (void)host; /* the object finds what it needs by itself */
  *o = (shared_object){.memory = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  void *address = o->memory ? dlsym(o->memory, name) : NULL;
  if (!address) shared_object_unload(o);
  any_function *found;
  memcpy(&found, &address, sizeof found);
  return found;
}

void shared_object_unload(shared_object *o) {
  if (o->memory) dlclose(o->memory);
  *o = (shared_object){0};
}

#endif
