# flags.cmake - how everything of ours is compiled: target starling_flags.
#
# Portable by default: no -march; hot functions choose their version at run time, in the source.
# Results are the same bits on every build: no -ffast-math, no contraction to fused operations.
add_library(starling_flags INTERFACE)
target_compile_definitions(starling_flags INTERFACE _XOPEN_SOURCE=700)
target_compile_options(starling_flags INTERFACE
    -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wundef
    -Wno-psabi # it warns of inlined functions too, which meet no ABI; lint/vectors finds the others
    -ffp-contract=off -fno-math-errno -fno-semantic-interposition)

# where a hot loop happens to lie must not move its speed by some percent from one build to the next
target_compile_options(starling_flags INTERFACE $<$<CONFIG:Release>:-falign-functions=64 -falign-loops=32>)

if(STARLING_WERROR)
    target_compile_options(starling_flags INTERFACE -Werror)
endif()

# sanitizers reach everything, so that a program and the library always agree
if(STARLING_SANITIZE)
    add_compile_options(-fsanitize=${STARLING_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${STARLING_SANITIZE})
endif()
