/* What a plugin for a device offers to the library: a table of functions in plain C, so that neither depends on the
 * other's compiler or libraries. Matrices are column-major. "On the device" marks pointers into memory that allocate()
 * gave or that the device can read anyway; all others are in the memory of the process.
 *
 * Functions return a status. They may be called from several threads, one at a time on each device; where a status is
 * not SPICYMKL_DEVICE_OK, last_error() says why in a few words. Sums of floating numbers are taken in an order that
 * depends on the sizes alone: the same call gives the same bits. */
#ifndef SPICYMKL_DEVICE_API_H
#define SPICYMKL_DEVICE_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPICYMKL_DEVICE_API_VERSION 6

/* To few digits; to those of a direction; the same with a step of iterative refinement. */
#define SPICYMKL_SOLVE_ROUGHLY 0
#define SPICYMKL_SOLVE_ONCE 1
#define SPICYMKL_SOLVE_REFINED 2
#define SPICYMKL_DEVICE_ENTRY "spicymkl_device_api"

enum spicymkl_device_status {
  SPICYMKL_DEVICE_OK = 0,
  SPICYMKL_DEVICE_ABSENT = 1,        /* there is no such device, or no driver for it */
  SPICYMKL_DEVICE_OUT_OF_MEMORY = 2, /* the device has no room; it works on */
  SPICYMKL_DEVICE_LOST = 3,          /* nothing that was on it can be had any more */
  SPICYMKL_DEVICE_NOT_DEFINITE = 4,  /* a matrix to be factored is not positive definite */
  SPICYMKL_DEVICE_FAILED = 5
};

typedef struct spicymkl_device spicymkl_device;
typedef struct spicymkl_device_system spicymkl_device_system;

typedef struct {
  char name[256];
  int64_t total_bytes;
  int64_t free_bytes;
} spicymkl_device_description;

/* Symmetric n × n matrices on the device, all alike. Both triangles are there; which one is read is open. */
typedef struct {
  const void* const* matrices; /* an array of pointers to matrices on the device */
  int64_t count;
  int64_t n;
  int64_t stride;        /* from a column to the next, in numbers */
  int32_t number_bytes;  /* 8: double, 4: float */
} spicymkl_device_set;

/* What a kernel depends on two rows by; as spicymkl::Base. */
enum spicymkl_device_base {
  SPICYMKL_BASE_SQUARED_DISTANCE = 0,
  SPICYMKL_BASE_L1_DISTANCE = 1,
  SPICYMKL_BASE_INNER_PRODUCT = 2,
  SPICYMKL_BASE_COSINE = 3,
  SPICYMKL_BASE_CHI_SQUARED_DISTANCE = 4,
  SPICYMKL_BASE_INTERSECTION = 5,
  SPICYMKL_BASE_MATCHES = 6
};

/* The kernel as a function of its base b, with parameters p. */
enum spicymkl_device_map {
  SPICYMKL_MAP_BASE = 0,               /* b */
  SPICYMKL_MAP_EXPONENTIAL = 1,        /* exp(-p0 b) */
  SPICYMKL_MAP_POLYNOMIAL = 2,         /* (p0 b + p1)^p2, p2 a whole number */
  SPICYMKL_MAP_MATERN = 3,             /* with u = p1 sqrt(b): exp(-u), times 1 + u or 1 + u + u^2/3 for p0 = 1.5, 2.5 */
  SPICYMKL_MAP_RATIONAL_QUADRATIC = 4  /* (1 + p0 b)^-p1 */
};

/* How its values are put on one scale: scale*k, k*r_i*c_j, or k - r_i - c_j + shift, where terms that are missing are 1
 * in the product and 0 in the sum. */
enum spicymkl_device_normalization {
  SPICYMKL_NORMALIZE_SCALE = 0,
  SPICYMKL_NORMALIZE_PRODUCT = 1,
  SPICYMKL_NORMALIZE_SUM = 2
};

typedef struct {
  int32_t base;
  int32_t map;
  double parameters[3];
  int32_t normalization;
  double scale;
  double shift;
  const int32_t* row_columns;    /* the columns of the rows' table that the kernel looks at, */
  const int32_t* column_columns; /* and of the columns' table, in the same order */
  int32_t n_columns;
  const double* row_terms;      /* r_i; null: none */
  const double* column_terms;   /* c_j */
  const double* row_present;    /* 0 where the kernel is 0; null: nowhere */
  const double* column_present;
  const double* diagonal;       /* to be added to entries (i, i); null: nothing */
  void* out;                    /* on the device */
} spicymkl_device_kernel;

/* A table on the device. */
typedef struct {
  const double* values;
  int64_t n;      /* rows to be used, */
  int64_t stride; /* of so many from a column to the next */
} spicymkl_device_table;

/* Matrices Z on the device, of n rows each, K = ZZ'. */
typedef struct {
  const double* const* matrices;
  const int64_t* widths;
  int64_t count;
  int64_t n;
} spicymkl_device_factors;

typedef struct {
  int32_t version; /* SPICYMKL_DEVICE_API_VERSION */

  /* The device of that number, when all that the process does on it already is done: matrices that others computed
   * there can be read. On failure *device may still be set, for last_error() and close(). */
  int (*open)(int32_t number, spicymkl_device** device);
  void (*close)(spicymkl_device* device);
  int (*describe)(spicymkl_device* device, spicymkl_device_description* out);
  const char* (*last_error)(spicymkl_device* device);

  int (*allocate)(spicymkl_device* device, int64_t bytes, void** memory);
  void (*release)(spicymkl_device* device, void* memory);
  int (*upload)(spicymkl_device* device, void* to, const void* from, int64_t bytes);
  int (*download)(spicymkl_device* device, void* to, const void* from, int64_t bytes);

  /* Kernels between the rows of two tables, n_rows × n_columns each, with `stride` numbers from a column to the next.
   * symmetric: the tables are the same, and so are both triangles, to the last bit. */
  int (*compute)(spicymkl_device* device, const spicymkl_device_table* rows, const spicymkl_device_table* columns,
                 const spicymkl_device_kernel* kernels, int64_t count, int64_t stride, int32_t number_bytes,
                 int32_t symmetric);
  /* out(k, p) = v_p' K_k v_p, as a count × width matrix, of kernels between all rows of a table that are computed for
   * it and kept nowhere; V is n × width. */
  int (*computed_forms)(spicymkl_device* device, const spicymkl_device_table* table,
                        const spicymkl_device_kernel* kernels, int64_t count, const double* V, int64_t width,
                        double* out);
  /* out = K_k W, n_rows × width one after the other, of kernels between the rows of two tables that are computed for it
   * and kept nowhere; W is n_columns × width. A row's products do not depend on the others. */
  int (*computed_products)(spicymkl_device* device, const spicymkl_device_table* rows,
                           const spicymkl_device_table* columns, const spicymkl_device_kernel* kernels, int64_t count,
                           const double* W, int64_t width, double* out);
  /* out[k], on the device with `stride`: the rows and columns of matrix k at these places. */
  int (*gather)(spicymkl_device* device, const spicymkl_device_set* set, const int64_t* places, int64_t n_places,
                int64_t stride, void* const* out);

  /* out(4, k) of matrix k: the largest |entry|, not finite where one is not; the largest |K_ij - K_ji|; the most that
   * |K_ij| exceeds sqrt(K_ii K_jj) by, negative diagonals counted as 0; and the largest -K_ii; the last three 0 at
   * least. */
  int (*examine)(spicymkl_device* device, const spicymkl_device_set* set, double* out);
  /* out = n × count diagonals */
  int (*diagonals)(spicymkl_device* device, const spicymkl_device_set* set, double* out);
  /* out(k, p) = v_p' K_k v_p, as a count × width matrix; V is n × width. */
  int (*forms)(spicymkl_device* device, const spicymkl_device_set* set, const double* V, int64_t width, double* out);
  /* out = K_k V, one after the other: n × (width * count) */
  int (*products)(spicymkl_device* device, const spicymkl_device_set* set, const double* V, int64_t width, double* out);
  /* out = (sum of weights_k K_k) V */
  int (*weighted_product)(spicymkl_device* device, const spicymkl_device_set* set, const double* weights,
                          const double* V, int64_t width, double* out);

  /* out, on the device, n × n with `stride`: the sum of weights_k K_k, both triangles of it; add: to what is there. */
  int (*weighted_sum)(spicymkl_device* device, const spicymkl_device_set* set, const double* weights, int32_t add,
                      int64_t stride, double* out);

  /* A Newton system of n samples: set to a diagonal, added to, factored, solved with. */
  int (*open_system)(spicymkl_device* device, int64_t n, spicymkl_device_system** system);
  void (*close_system)(spicymkl_device_system* system);
  int (*set_diagonal)(spicymkl_device_system* system, const double* diagonal);
  int (*add_matrices)(spicymkl_device_system* system, const spicymkl_device_set* set, const double* weights);
  /* UU' with U = [Z_k roots_k], a root for each column */
  int (*add_factors)(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots);
  /* sign * UU', U of n × width */
  int (*add_columns)(spicymkl_device_system* system, const double* U, int64_t width, double sign);
  int (*factor)(spicymkl_device_system* system);
  int (*solve)(spicymkl_device_system* system, double* rhs, int64_t width);

  /* Z_k' V, one below the other. */
  int (*factor_sums)(spicymkl_device* device, const spicymkl_device_factors* factors, const double* V, int64_t width,
                     double* out);
  /* Z_k W_k, with the W_k one below the other: n × width each, one after the other; or, together, their sum. */
  int (*factor_products)(spicymkl_device* device, const spicymkl_device_factors* factors, const double* W,
                         int64_t width, int32_t together, double* out);
  /* out[k], on the device: the rows of Z_k at these places, n_places × width. */
  int (*gather_rows)(spicymkl_device* device, const spicymkl_device_factors* factors, const int64_t* places,
                     int64_t n_places, double* const* out);
  /* The diagonal of the sum of Z_k weights_k Z_k', a weight for each column. */
  int (*factor_diagonal)(spicymkl_device* device, const spicymkl_device_factors* factors, const double* weights,
                         double* out);
  /* C = AB of matrices on the device: rows × inner, inner × columns */
  int (*multiply)(spicymkl_device* device, int64_t rows, int64_t inner, int64_t columns, const double* A,
                  int64_t stride_A, const double* B, double* C, int64_t stride_C);

  /* The system diag(d) + UU' with U = [Z_k roots_k, low_rank] by one of the size of U's width. *largest: of UU' to d,
   * entry by entry of their diagonals; where it is not below `limit`, nothing is factored and the status is
   * SPICYMKL_DEVICE_NOT_DEFINITE. The factors must stay where they are until the last solve. */
  int (*open_rank_system)(spicymkl_device* device, spicymkl_device_system** system);
  int (*factor_ranks)(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots,
                      const double* diagonal, const double* low_rank, int64_t low_rank_width, double limit,
                      double* largest);
  /* how: one of SPICYMKL_SOLVE_... */
  int (*solve_ranks)(spicymkl_device_system* system, double* rhs, int64_t width, int32_t how);
} spicymkl_device_functions;

/* The one function that a plugin exports, by the name SPICYMKL_DEVICE_ENTRY. */
typedef const spicymkl_device_functions* (*spicymkl_device_entry)(void);

#ifdef __cplusplus
}
#endif

#endif
