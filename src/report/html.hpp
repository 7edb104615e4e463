// Pieces of HTML and SVG. Whatever is not made here goes through `escaped` first.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/report/report.hpp"

namespace spicymkl {

/// The part of the strongest colour from which on light text is easier to read than dark text; on dark ground it is the
/// other way round.
inline constexpr double kStrongColour = 0.7;

/// Classes or targets with a fit of their own that are shown one by one; of more, what they have in common.
inline constexpr std::size_t kMostFitsShown = 20;

/// Text as HTML or SVG, fit for an element or a quoted attribute.
std::string escaped(std::string_view text);

/// Names beside values, both strings.
std::string facts_list(const std::vector<Fact>& facts);

/// A table of strings, the columns from `first_number` on right-aligned.
std::string plain_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                        std::size_t first_number);

std::string section(std::string_view heading, const std::string& body);
std::string paragraph(std::string_view text);
/// Folded away until asked for.
std::string details(std::string_view summary, const std::string& body);

/// The template with every @NAME@ replaced; what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& parts);

/// A small patch in the colour of the k-th series, as report.js has it.
std::string swatch(std::size_t k);

std::string number_text(double value);
/// A share in per cent.
std::string percent_text(double share);

}  // namespace spicymkl
