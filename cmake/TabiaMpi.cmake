# The program `tabia-mpi`, where MPI is found: one game, solved, counted or played by several processes.

option(TABIA_MPI "Build tabia-mpi where MPI is found" ON)
if(TABIA_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(TABIA_MPI AND MPI_C_FOUND)
  add_executable(tabia_mpi src/mpi/mpi_arguments.c src/mpi/mpi_main.c src/mpi/mpi_exchange.c src/mpi/mpi_perft.c
    src/mpi/mpi_playouts.c src/mpi/mpi_prove.c src/mpi/mpi_states.c
    src/cli/levels_show.c src/cli/output.c src/cli/proof_show.c) # what `tabia` prints, too
  target_link_libraries(tabia_mpi PRIVATE tabia_internal MPI::MPI_C)
  target_compile_options(tabia_mpi PRIVATE ${TABIA_WARNINGS})
  set_target_properties(tabia_mpi PROPERTIES OUTPUT_NAME tabia-mpi LINKER_LANGUAGE CXX)
endif()
