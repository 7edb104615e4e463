// The files of the page, made part of the library when it is built (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace spicymkl::resources {

extern const std::string_view page_html;
extern const std::string_view picture_svg;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view chart_js;
extern const std::string_view chart_licence;

}  // namespace spicymkl::resources
