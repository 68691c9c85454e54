# What is chosen where the user has chosen nothing.  Included before project(), which fills in values
# of its own; what comes from -D, a preset or the environment stays as it is.

# A build folder of an earlier version holds flags that were never used.
if(DEFINED CACHE{TABIA_SHARED})
  unset(TABIA_SHARED CACHE)
  foreach(language C CXX)
    foreach(type RELEASE DEBUG ASSERTS CHECKED)
      unset(CMAKE_${language}_FLAGS_${type} CACHE)
    endforeach()
  endforeach()
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, Asserts or Checked")
endif()
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -g -DNDEBUG" CACHE STRING "")
  set(CMAKE_${language}_FLAGS_DEBUG "-O0 -g3" CACHE STRING "")
  set(CMAKE_${language}_FLAGS_ASSERTS "-O2 -g" CACHE STRING "As Release, asserts kept")
  set(CMAKE_${language}_FLAGS_CHECKED "-O1 -g1 -fno-omit-frame-pointer" CACHE STRING
      "For sanitizers, asserts kept")
endforeach()
