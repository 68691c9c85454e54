# shellcheck shell=bash
# What ./run and ./test share: installing what is missing, and building quietly.
# To be sourced, with the working directory at the top of the checkout.

say() { printf '%s\n' "$*" >&2; }

# Runs a command and shows what it printed only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if ((status)); then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# missing_packages NEED...  prints the Debian packages that are not there yet.  A NEED is
# PACKAGE:command:NAME, PACKAGE:library:NAME (as pkg-config knows it) or PACKAGE:file:GLOB.
missing_packages() {
  local need package kind name
  for need in "$@"; do
    IFS=: read -r package kind name <<<"$need"
    is_there "$kind" "$name" || echo "$package"
  done
}

is_there() {
  case $1 in
    command) command -v "$2" >/dev/null ;;
    library) pkg-config --exists "$2" 2>/dev/null ;;
    file) compgen -G "$2" >/dev/null ;;
  esac
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "These packages are missing and neither root nor sudo is at hand: $missing"
    return 1
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null
}

# Installs the packages of NEED... that are missing; says nothing when none is.
install_missing() {
  local missing
  missing=$(missing_packages "$@" | sort -u | tr '\n' ' ')
  [[ -n $missing ]] || return 0
  if ! command -v apt-get >/dev/null; then
    say "Please install what these Debian packages hold: $missing"
    return 1
  fi
  say "Installing $missing"
  quietly apt_get update
  # shellcheck disable=SC2086 # a list of words
  quietly apt_get install --no-install-recommends $missing
}

build_needs=(
  gcc:command:gcc libc6-dev:file:/usr/include/stdio.h
  cmake:command:cmake ninja-build:command:ninja pkg-config:command:pkg-config
  libcmocka-dev:library:cmocka libxxhash-dev:library:libxxhash libjansson-dev:library:jansson
  libsqlite3-dev:library:sqlite3
  libcadical-dev:file:/usr/include/ccadical.h g++:command:g++
  libbliss-dev:file:/usr/include/bliss/graph.hh libbdd-dev:file:/usr/include/bdd.h
)
mpi_needs=(libopenmpi-dev:file:/usr/lib/*/openmpi/include/mpi.h openmpi-bin:command:mpirun) # of tabia-mpi
python_needs=( # of the package in python/
  python3:file:/usr/bin/python3 python3-dev:file:/usr/include/python3*/Python.h
  python3-setuptools:file:/usr/lib/python3/dist-packages/setuptools
  python3-numpy:file:/usr/lib/python3/dist-packages/numpy
  python3-cffi:file:/usr/lib/python3/dist-packages/cffi
)
page_needs=(nodejs:command:node npm:command:npm) # of web/build
studio_needs=("${page_needs[@]}" chromium:command:chromium
  fonts-dejavu-core:file:/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf) # of tests/studio
clang_needs=(clang:command:clang clang-format:command:clang-format)
script_needs=(jq:command:jq) # of scripts in tests/
method_needs=(gringo:command:gringo swi-prolog-nox:command:swipl
  berkeley-abc:command:berkeley-abc) # what tabia is compared with
lsp_needs=(nodejs:command:node npm:command:npm neovim:command:nvim) # of tests/lsp
long_needs=(
  libclang-rt-dev:file:/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
  valgrind:command:valgrind libc6-dbg:file:/usr/lib/debug/.build-id
  dpkg-dev:command:dpkg-shlibdeps "${mpi_needs[@]}"
  "${python_needs[@]}" python3-pytest:file:/usr/lib/python3/dist-packages/pytest
  python3-build:file:/usr/lib/python3/dist-packages/build
  python3-wheel:file:/usr/lib/python3/dist-packages/wheel mypy:file:/usr/bin/mypy
  python3-venv:file:/usr/lib/python3.*/ensurepip
  python3-torch:file:/usr/lib/python3/dist-packages/torch # of python/examples
)

# What `cmake --install` takes; `tabia` itself is the file of the program.
installed_targets=(tabia_program tabia_bdd tabia_shared libtabia.a man_pages)

# build_preset PRESET [TARGET...]  configures once and builds.  The lock keeps two builds of one
# folder apart; ninja itself looks for new and changed files.
build_preset() {
  local preset=$1 folder=build/$1
  shift
  mkdir -p "$folder"
  (
    flock 9
    [[ -f $folder/build.ninja ]] || quietly cmake --preset "$preset"
    quietly cmake --build "$folder" ${1:+--target "$@"}
  ) 9>"$folder.lock"
}
