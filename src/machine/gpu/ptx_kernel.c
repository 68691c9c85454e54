#include "machine/gpu/ptx_kernel.h"

#include "machine/gpu/ptx_batch.h"

#include <string.h>

void ptx_begin_kernel(ptx_builder *b, const char *parameters, uint32_t threads) {
  text_add(b->out, ".version 7.0\n.target sm_75\n.address_size 64\n"
                   ".extern .shared .align 16 .b8 memory[];\n.visible .entry play(\n");
  for (const char *at = parameters; *at;) {
    const size_t length = strcspn(at, " ");
    text_add_format(b->out, "  .param .u64 p_%.*s", (int)length, at);
    at += length + (at[length] == ' ');
    text_add(b->out, *at ? ",\n" : "\n)\n");
  }
  text_add_format(b->out, ".maxntid %u, 1, 1\n.minnctapersm 1\n{\n", threads);
}

void ptx_end_kernel(ptx_builder *b) {
  text_add(b->out, "done:\n");
  ptx_line(b, "ret;");
  text_add(b->out, "}\n");
}

void ptx_declare(ptx_builder *b) {
  ptx_line(b, ".reg .pred %%p<8>;");
  ptx_line(b, ".reg .b32 %%v<32>;");
  ptx_line(b, ".reg .b32 %%t<16>;");
  ptx_line(b, ".reg .b64 %%q<16>;");
  ptx_line(b, ".reg .b32 %%zero, %%one, %%me;");
  ptx_line(b, "mov.b32 %%zero, 0;");
  ptx_line(b, "mov.b32 %%one, 1;");
}

void ptx_find_me(ptx_builder *b, uint32_t threads) {
  ptx_line(b, "mov.u32 %%t0, %%tid.x;");
  ptx_line(b, "mov.u32 %%t1, %%ctaid.x;");
  ptx_line(b, "mad.lo.u32 %%me, %%t1, %u, %%t0;", threads);
}

void ptx_load_parameter(ptx_builder *b, const char *to, const char *name) {
  ptx_line(b, "ld.param.u64 %s, [p_%s];", to, name);
}

void ptx_load_number(ptx_builder *b, const char *to, const char *name) {
  ptx_load_parameter(b, "%q15", name);
  ptx_line(b, "mov.b64 {%s, %%t15}, %%q15;", to);
}

void ptx_find_word(ptx_builder *b, const char *to, const char *word) {
  ptx_load_parameter(b, to, "planes");
  ptx_load_number(b, "%t0", "tile_bytes");
  ptx_line(b, "shr.u32 %%t1, %s, 5;", word);
  ptx_line(b, "mul.wide.u32 %%q15, %%t1, %%t0;");
  ptx_line(b, "add.u64 %s, %s, %%q15;", to, to);
  ptx_line(b, "and.b32 %%t1, %s, 31;", word);
  ptx_line(b, "mad.wide.u32 %s, %%t1, 4, %s;", to, to);
}

void ptx_begin_plain(ptx_builder *b, const char *parameters) {
  ptx_begin_kernel(b, parameters, BATCH_THREADS);
  ptx_declare(b);
  ptx_find_me(b, BATCH_THREADS);
}

void ptx_leave_beyond(ptx_builder *b, const char *limit) {
  ptx_load_number(b, "%t0", limit);
  ptx_line(b, "setp.ge.u32 %%p0, %%me, %%t0;");
  ptx_line(b, "@%%p0 bra done;");
}
