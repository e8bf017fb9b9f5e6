# embed.cmake - write the YAML files of ${DATA}/accels, /constraints, /networks and /plans and the
# flocks of ${DATA}/flocks into the C file ${OUT} as the table sl_bundled_files
# (starling/core/bundle.h), sorted by folder, then by name. Flocks are bytes: the assembler reads
# them.
#
# cmake -D DATA=data -D OUT=bundled_data.c -P embed.cmake
cmake_minimum_required(VERSION 3.20)

set(texts "")
set(rows "")
set(i 0)
foreach(folder accels constraints flocks networks plans)
    set(names "")
    set(ending yaml)
    if(folder STREQUAL flocks)
        set(ending flock)
    endif()
    file(GLOB paths ${DATA}/${folder}/*.${ending})
    foreach(path ${paths})
        get_filename_component(name ${path} NAME_WLE)
        list(APPEND names ${name})
    endforeach()
    list(SORT names COMPARE STRING)

    foreach(name ${names})
        if(folder STREQUAL flocks)
            string(APPEND texts "__asm__(\".section .rodata\\n.balign 16\\nsl_flock_${i}:\\n.incbin \\\"${DATA}/flocks/${name}.flock\\\"\\nsl_flock_${i}_end:\\n.byte 0\\n.previous\\n\");\n")
            string(APPEND texts "extern const char bytes_${i}[] __asm__(\"sl_flock_${i}\");\n")
            file(SIZE ${DATA}/flocks/${name}.flock size)
            string(APPEND rows "    {\"flocks\", \"${name}\", bytes_${i}, ${size}},\n")
            math(EXPR i "${i} + 1")
            continue()
        endif()
        # one string literal per line; '?' is escaped because -std=c11 knows trigraphs
        file(READ ${DATA}/${folder}/${name}.yaml text)
        string(REPLACE "\\" "\\\\" text "${text}")
        string(REPLACE "\"" "\\\"" text "${text}")
        string(REPLACE "?" "\\?" text "${text}")
        string(REPLACE "\t" "\\t" text "${text}")
        string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
        string(APPEND texts "static const char text_${i}[] =\n    \"${text}\";\n")
        string(APPEND rows "    {\"${folder}\", \"${name}\", text_${i}, sizeof text_${i} - 1},\n")
        math(EXPR i "${i} + 1")
    endforeach()
endforeach()

file(WRITE ${OUT} "// bundled_data.c - written by cmake/embed.cmake, do not edit.
#include \"starling/core/bundle.h\"

extern const SlBundled sl_bundled_files[];

${texts}
const SlBundled sl_bundled_files[] = {
${rows}    {0},
};
")
