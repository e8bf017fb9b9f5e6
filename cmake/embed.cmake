# embed.cmake - write the YAML files of ${DATA}/accels, /constraints, /networks and /plans into the
# C file ${OUT} as the table sl_bundled_files (starling/core/bundle.h), sorted by folder, then by name.
#
# cmake -D DATA=data -D OUT=bundled_data.c -P embed.cmake
cmake_minimum_required(VERSION 3.20)

set(texts "")
set(rows "")
set(i 0)
foreach(folder accels constraints networks plans)
    set(names "")
    file(GLOB paths ${DATA}/${folder}/*.yaml)
    foreach(path ${paths})
        get_filename_component(name ${path} NAME_WLE)
        list(APPEND names ${name})
    endforeach()
    list(SORT names COMPARE STRING)

    foreach(name ${names})
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
