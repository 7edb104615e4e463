# The files of the HTML report become part of the library, so that an installed command needs no file beside it.
# Run as a script (-P) it writes the C++ source; included, it says how to.
if(CMAKE_SCRIPT_MODE_FILE)
  set(source "#include \"report/resources.hpp\"\n\nnamespace spicymkl::resources {\n")
  foreach(name page_html picture_svg report_css report_js chart_js chart_licence)
    file(READ ${${name}} bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND source "static const char ${name}_bytes[] = {${bytes}};\n"
                         "const std::string_view ${name}(${name}_bytes, ${size});\n")
  endforeach()
  file(WRITE ${OUTPUT} "${source}}  // namespace spicymkl::resources\n")
  return()
endif()

# Debian and Ubuntu: libjs-chart.js; elsewhere the file dist/chart.min.js of Chart.js 3 or dist/chart.umd.js of Chart.js 4.
find_file(SPICYMKL_CHART_JS NAMES chart.min.js chart.umd.js
          PATH_SUFFIXES share/javascript/chart.js share/nodejs/chart.js/dist
          DOC "Chart.js, put into every HTML report")
if(NOT SPICYMKL_CHART_JS)
  message(FATAL_ERROR "Chart.js is missing: install libjs-chart.js, or set SPICYMKL_CHART_JS to its chart.min.js")
endif()

function(spicymkl_embed_report_files result)
  set(page ${CMAKE_CURRENT_SOURCE_DIR}/src/report/page)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/report_files.cpp)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake)
  set(files ${page}/page.html ${page}/picture.svg ${page}/report.css ${page}/report.js ${page}/chart_licence.txt ${SPICYMKL_CHART_JS})
  add_custom_command(OUTPUT ${output} DEPENDS ${files} ${script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -Dpage_html=${page}/page.html -Dpicture_svg=${page}/picture.svg
            -Dreport_css=${page}/report.css -Dreport_js=${page}/report.js -Dchart_js=${SPICYMKL_CHART_JS} -Dchart_licence=${page}/chart_licence.txt
            -P ${script})
  set(${result} ${output} PARENT_SCOPE)
endfunction()
