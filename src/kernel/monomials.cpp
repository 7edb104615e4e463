#include "monomials.hpp"

#include <cmath>

#include "core/renew.hpp"

namespace spicymkl {

namespace {

/// The last column of a monomial, in the order of the columns, and its exponent.
struct LastFactor {
  Index column = 0;
  Index exponent = 0;
};

}  // namespace

double Monomials::count(Index n_columns, const std::vector<double>& powers) {
  double all = 0, of_degree = 1;  // n + k − 1 over k
  for (std::size_t k = 0; k < powers.size(); ++k) {
    if (k > 0) of_degree *= static_cast<double>(n_columns + static_cast<Index>(k) - 1) / static_cast<double>(k);
    if (powers[k] > 0) all += of_degree;
  }
  return std::round(all);
}

Monomials::Monomials(Index n_columns, const std::vector<double>& powers) {
  std::vector<LastFactor> below, last = {{}};
  for (std::size_t k = 0; k < powers.size(); ++k) {
    Degree degree{std::sqrt(powers[k]), {}};
    if (k > 0) {
      below.swap(last);
      last.clear();
      for (Index parent = 0; parent < std::ssize(below); ++parent)
        for (Index column = below[parent].column; column < n_columns; ++column) {
          const bool again = column == below[parent].column;
          last.push_back({column, again ? below[parent].exponent + 1 : 1});
          degree.steps.push_back(
              {parent, column, std::sqrt(static_cast<double>(k) / static_cast<double>(last.back().exponent))});
        }
    }
    if (powers[k] > 0) size_ += std::ssize(last);
    degrees_.push_back(std::move(degree));
  }
}

void Monomials::compute(ConstMatrixRef rows, MatrixRef out) const {
  if (degrees_.size() == 2 && degrees_[0].root == 0) {  // the columns themselves
    out = degrees_[1].root * rows;
    return;
  }
  Matrix below, products = Matrix::Ones(rows.rows(), 1);
  Index place = 0;
  for (const Degree& degree : degrees_) {
    if (!degree.steps.empty()) {
      below.swap(products);
      renew(products, rows.rows(), std::ssize(degree.steps));
      for (Index j = 0; j < products.cols(); ++j) {
        const Step& step = degree.steps[j];
        products.col(j) = step.root * below.col(step.below).cwiseProduct(rows.col(step.column));
      }
    }
    if (degree.root == 0) continue;
    out.middleCols(place, products.cols()) = degree.root * products;
    place += products.cols();
  }
}

}  // namespace spicymkl
