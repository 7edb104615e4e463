#include "own_functions.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <array>

#include "spicymkl/core/error.hpp"
#include "spicymkl/regularizer/custom.hpp"

namespace spicymkl::python {

namespace {

/// A method of a Python object that gives a number. It may be called with or without the interpreter's lock.
class Method {
 public:
  Method(const nb::object& object, const char* name) : method_(find(object, name)) {}
  Method(const Method& other) : Method() { *this = other; }
  Method& operator=(const Method& other) {
    const nb::gil_scoped_acquire lock;
    method_ = other.method_;
    return *this;
  }
  ~Method() {
    const nb::gil_scoped_acquire lock;
    method_.reset();
  }

  template <class Answer = double, class... Arguments>
  Answer operator()(Arguments... arguments) const {
    const nb::gil_scoped_acquire lock;
    return convert<Answer>(method_(arguments...));
  }

 private:
  Method() = default;

  static nb::object find(const nb::object& object, const char* name) {
    if (!nb::hasattr(object, name))
      throw InputError(fmt::format("{} has no method '{}', which the solver needs",
                                   nb::cast<std::string>(object.type().attr("__name__")), name));
    return object.attr(name);
  }

  template <class Answer>
  static Answer convert(const nb::object& answer) {
    if constexpr (std::is_same_v<Answer, double>) {
      const nb::object number = nb::steal(PyNumber_Float(answer.ptr()));
      if (!number.is_valid()) throw nb::python_error();
      return PyFloat_AsDouble(number.ptr());
    } else {  // an array of numbers
      Answer numbers{};
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = convert<double>(answer[k]);
      return numbers;
    }
  }

  nb::object method_;
};

using Pair = std::array<double, 2>;
using Six = std::array<double, 6>;

DualTerm to_term(const Six& six) { return {six[0], six[1], six[2], six[3], six[4], six[5]}; }

/// A loss by its value, conjugate and derivatives. A domain that is closed becomes two constraints h ≤ 0 of Eq. (33).
class OwnLoss : public Loss {
 public:
  explicit OwnLoss(const nb::object& loss)
      : name_(own_name(loss)),
        labels_(nb::cast<std::string>(loss.attr("labels")) == "classes" ? LabelKind::two_classes : LabelKind::real),
        closed_(nb::cast<bool>(loss.attr("closed"))),
        value_(loss, "value"),
        dual_point_(loss, "dual_point"),
        conjugate_(loss, "conjugate"),
        domain_(loss, "domain"),
        gradient_(loss, "gradient"),
        hessian_(loss, "hessian") {}

  std::string_view name() const override { return name_; }
  LabelKind labels() const override { return labels_; }
  bool concurrent() const override { return false; }
  double value(double y, double z) const override { return value_(y, z); }
  double dual_point(double y, double z) const override { return dual_point_(y, z); }
  double conjugate(double y, double rho) const override {
    const Interval domain = dual_domain(y);
    if (rho < domain.lower || rho > domain.upper) return std::numeric_limits<double>::infinity();
    return conjugate_(y, rho);
  }
  Interval dual_domain(double y) const override {
    const Pair ends = domain_.operator()<Pair>(y);
    return {ends[0], ends[1]};
  }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    return {conjugate_(y, rho), gradient_(y, rho), 0, hessian_(y, rho), 0, 0};
  }
  Interval smooth_domain(double y) const override { return closed_ ? Interval{} : dual_domain(y); }
  int n_constraints() const override { return closed_ ? 2 : 0; }
  DualTerm constraint(int j, double y, double rho, double) const override {
    const Interval domain = dual_domain(y);
    const double end = j == 0 ? domain.lower : domain.upper;
    // An end at infinity is never reached.
    if (!std::isfinite(end)) return {-1, 0, 0, 0, 0, 0};
    const double sign = j == 0 ? -1 : 1;
    return {sign * (rho - end), sign, 0, 0, 0, 0};
  }

 private:
  std::string name_;
  LabelKind labels_;
  bool closed_;
  Method value_, dual_point_, conjugate_, domain_, gradient_, hessian_;
};

/// A loss that gives the constrained form of Section 3.4.2 itself.
class OwnConstrainedLoss final : public OwnLoss {
 public:
  explicit OwnConstrainedLoss(const nb::object& loss)
      : OwnLoss(loss),
        n_constraints_(nb::cast<int>(loss.attr("n_constraints"))),
        has_auxiliary_(nb::cast<bool>(loss.attr("has_auxiliary"))),
        smooth_conjugate_(loss, "smooth_conjugate"),
        constraint_(loss, "constraint") {}

  DualTerm smooth_conjugate(double y, double rho, double aux) const override {
    return to_term(smooth_conjugate_.operator()<Six>(y, rho, aux));
  }
  Interval smooth_domain(double) const override { return {}; }
  int n_constraints() const override { return n_constraints_; }
  bool has_auxiliary() const override { return has_auxiliary_; }
  DualTerm constraint(int j, double y, double rho, double aux) const override {
    return to_term(constraint_.operator()<Six>(j, y, rho, aux));
  }

 private:
  int n_constraints_;
  bool has_auxiliary_;
  Method smooth_conjugate_, constraint_;
};

}  // namespace

std::string own_name(const nb::object& object) {
  return "python:" + nb::cast<std::string>(object.type().attr("__name__"));
}

std::shared_ptr<const Loss> own_loss(const nb::object& loss) {
  if (nb::hasattr(loss, "smooth_conjugate")) return std::make_shared<OwnConstrainedLoss>(loss);
  return std::make_shared<OwnLoss>(loss);
}

RegularizerFamily own_penalty(const nb::object& penalty) {
  const Method value(penalty, "value"), conjugate(penalty, "conjugate");
  const Method prox(penalty, "prox"), prox_slope(penalty, "prox_slope");
  const double threshold = nb::cast<double>(nb::float_(penalty.attr("threshold")));
  const double dual_bound = nb::cast<double>(nb::float_(penalty.attr("dual_bound")));
  return [=, name = own_name(penalty)](double alpha) {
    CustomRegularizerFunctions functions;
    // G = alpha·g, so that G*(u) = alpha·g*(u/alpha), and a step gamma on G is a step gamma·alpha on g.
    functions.value = [=](double x) { return alpha * value(x); };
    functions.conjugate = [=](double u) { return alpha * conjugate(u / alpha); };
    functions.prox = [=](double v, double gamma) { return prox(v, gamma * alpha); };
    functions.prox_slope = [=](double v, double gamma) { return prox_slope(v, gamma * alpha); };
    functions.threshold = alpha * threshold;
    functions.dual_bound = alpha * dual_bound;
    return std::make_shared<CustomRegularizer>(name, alpha, std::move(functions));
  };
}

}  // namespace spicymkl::python
