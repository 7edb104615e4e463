# From what users give as x to what the library reads: a matrix of numbers with the names and categories of its columns,
# or Gram matrices.

as_data <- function(x, options, precomputed, names_of_y, of) {
  if (is.null(x))
    refuse("x is NULL; give ", if (precomputed) "a list of kernels" else "a matrix, a data frame, or a named list of them")
  if (precomputed) {
    refuse_table_options(options, of)
    return(as_grams(x))
  }
  several <- is.list(x) && !is.data.frame(x)
  refuse_gram_options(options, several)
  if (several) return(as_sources(x, options, names_of_y))
  table <- as_table(x)
  warn_of_number_strings(x, "x")
  table
}

# --- one table --------------------------------------------------------------------------------------------------------

as_table <- function(x, what = "x") {
  table <- if (is.data.frame(x)) frame_table(x, what) else matrix_table(x, what)
  check_table(table, what)
  table
}

matrix_table <- function(x, what) {
  if (inherits(x, "Matrix")) x <- as.matrix(x)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)))
    refuse(what, " is ", kind_of(x), ", but it must be a matrix of numbers",
           if (what == "x") ", a data frame, or a named list of them" else " or a data frame")
  storage.mode(x) <- "double"
  names <- colnames(x)
  if (is.null(names)) names <- default_names(ncol(x))
  list(values = unname(x), columns = enc2utf8(names), categories = rep(list(character()), ncol(x)),
       named = !is.null(colnames(x)))
}

frame_table <- function(x, what) {
  columns <- flat_columns(x)
  coded <- Map(column_codes, columns, names(columns), what)
  values <- vapply(coded, function(column) column$values, double(nrow(x)))
  list(values = matrix(values, nrow(x), length(coded)), columns = enc2utf8(names(columns)),
       categories = unname(lapply(coded, function(column) column$texts)), named = TRUE)
}

# Matrices among the columns of a frame, as poly() makes them, become columns.
flat_columns <- function(x) {
  inner <- vapply(x, function(column) length(dim(column)) == 2L, logical(1))
  if (!any(inner)) return(as.list(x))
  parts <- lapply(names(x), function(name) {
    column <- x[[name]]
    if (length(dim(column)) != 2L) return(stats::setNames(list(column), name))
    if (is.data.frame(column)) columns <- as.list(column)
    else columns <- lapply(seq_len(ncol(column)), function(j) column[, j])
    names <- if (is.null(colnames(column))) seq_along(columns) else colnames(column)
    stats::setNames(columns, paste0(name, ".", names))
  })
  unlist(parts, recursive = FALSE)
}

column_codes <- function(column, name, what) {
  if (is.factor(column)) column <- as.character(column)
  if (is.character(column)) {
    check_encoding(column, paste0(what, ", column '", name, "'"))
    column <- enc2utf8(column)
    texts <- sort(unique(column[!is.na(column)]), method = "radix")
    return(list(values = as.double(match(column, texts) - 1L), texts = texts))
  }
  if (inherits(column, c("Date", "POSIXt", "difftime")) || !(is.numeric(column) || is.logical(column)))
    refuse(what, " has a column that cannot be learned from: '", name, "' (", class(column)[1L],
           "); convert it to numbers or to a factor first (dates to days since a date, for example), or leave it out")
  list(values = as.double(column), texts = character())
}

# One cell such as "n/a" makes strings, and so categories, of a column of numbers.
warn_of_number_strings <- function(x, what) {
  if (!is.data.frame(x)) return()
  found <- Filter(Negate(is.null), lapply(Filter(is.character, flat_columns(x)), number_strings))
  if (length(found) == 0L) return()
  others <- names(found)[-1L]
  warning(what, ", column '", names(found)[1L], "' is taken for categories, but ", found[[1L]],
          if (length(others) > 0L) paste0(" (likewise ", listed(quoted(others)), ")"),
          "; convert it with as.numeric(), or with factor() where categories are meant", call. = FALSE)
}

# What is said of strings of which most are numbers; of others NULL.
number_strings <- function(column) {
  texts <- unique(column[!is.na(column)])
  number <- is.finite(suppressWarnings(as.numeric(texts)))
  if (2 * sum(number) <= length(texts)) return(NULL)
  if (all(number)) return(paste0("all of its strings are numbers (", length(texts), " different)"))
  odd <- texts[!number][1L]
  paste0(sum(number), " of its ", length(texts), " different strings are numbers, and the first that is none is ",
         quoted(odd), " in row ", match(odd, column))
}

check_table <- function(table, what) {
  if (nrow(table$values) == 0L) refuse(what, " has no rows; give some")
  if (ncol(table$values) == 0L) refuse(what, " has no columns; there is nothing to learn from")
  if (anyDuplicated(table$columns)) {
    refuse(what, " has more than one column named ", quoted(table$columns[anyDuplicated(table$columns)]), "; rename one")
  }
  infinite <- which(is.infinite(table$values))[1L]
  if (!is.na(infinite)) {
    at <- arrayInd(infinite, dim(table$values))
    refuse(what, ", row ", at[1L], ", column '", table$columns[at[2L]], "': the value is infinite; correct it")
  }
}

# As the command calls columns without names.
default_names <- function(count) paste0("x", seq_len(count) - 1L)

kind_of <- function(x) {
  if (is.matrix(x)) return(paste("a matrix of type", typeof(x)))
  paste("of class", class(x)[1L])
}

# --- several tables ---------------------------------------------------------------------------------------------------

as_sources <- function(x, options, names_of_y) {
  check_source_names(x)
  titles <- paste0("the table '", names(x), "'")
  tables <- Map(as_table, x, titles)
  Map(warn_of_number_strings, x, titles)
  match <- match_rows(x, tables, names_of_y)
  missing <- if (is.null(options$missing_view)) "error" else options$missing_view
  if (missing == "error") refuse_lacking(match$rows)
  if (missing == "drop") match <- drop_lacking(match)
  join_tables(tables, match, missing)
}

check_source_names <- function(x, what = "x") {
  if (length(x) == 0L) refuse(what, " is an empty list; it must give each source a table")
  if (is.null(names(x)) || any(names(x) == "") || anyNA(names(x)))
    refuse(what, " is a list whose members have no names; name each source, as in list(rna = rna, clinical = clinical)")
  if (anyDuplicated(names(x)))
    refuse(what, " has more than one source named ", quoted(names(x)[anyDuplicated(names(x))]), "; rename one")
}

row_names <- function(table) {
  if (is.data.frame(table)) if (.row_names_info(table) < 0L) NULL else row.names(table) else rownames(table)
}

# Of each sample, its row in every table, or NA: matched by name if all tables name their rows, else by position.
match_rows <- function(x, tables, names_of_y) {
  names <- lapply(x, row_names)
  named <- !vapply(names, is.null, logical(1))
  sizes <- vapply(tables, function(table) nrow(table$values), integer(1))
  if (any(named) && !all(named))
    refuse("the table ", quoted(names(x)[named][1L]), " names its rows and ", quoted(names(x)[!named][1L]),
           " does not; give all of them row names, or none")
  if (!any(named)) {
    if (length(unique(sizes)) > 1L)
      refuse("tables without row names are matched by the position of their rows, but ",
             listed(paste(quoted(names(x)), "has", sizes)), " rows; give them row names that name the samples")
    return(list(rows = matrix(seq_len(sizes[1L]), sizes[1L], length(x), dimnames = list(NULL, names(x))), order = NULL))
  }
  check_row_names(names)
  samples <- if (is.null(names_of_y)) unique(unlist(names, use.names = FALSE)) else names_of_y
  rows <- vapply(names, function(own) match(samples, own), integer(length(samples)))
  rows <- matrix(rows, length(samples), length(x), dimnames = list(samples, names(x)))
  strangers <- samples[rowSums(!is.na(rows)) == 0L]
  if (length(strangers) > 0L)
    refuse("y has the sample '", strangers[1L], "', which no table has; add its rows, or leave it out of y")
  list(rows = rows, order = NULL)
}

check_row_names <- function(names) {
  for (source in names(names)) {
    own <- names[[source]]
    if (anyDuplicated(own))
      refuse("the table '", source, "' has two rows named '", own[anyDuplicated(own)], "'; samples need names of their own")
  }
}

refuse_lacking <- function(rows, advice = paste("or use missing_view = \"zero\" (a table says nothing of samples that it",
                                                "lacks) or \"drop\" (they are left out)")) {
  lacks <- colSums(is.na(rows))
  lacks <- lacks[lacks > 0]
  if (length(lacks) > 0L)
    refuse("of ", nrow(rows), " samples, ", listed(paste(quoted(names(lacks)), "lacks", lacks)), "; add the rows, ", advice)
}

drop_lacking <- function(match) {
  kept <- which(rowSums(is.na(match$rows)) == 0L)
  if (length(kept) == 0L)
    refuse("no sample is in all ", ncol(match$rows), " tables, so that none is left; use missing_view = \"zero\"")
  list(rows = match$rows[kept, , drop = FALSE], order = if (length(kept) < nrow(match$rows)) kept)
}

# The columns of all tables side by side; `order` says which of the samples are left, NULL: all.
join_tables <- function(tables, match, missing) {
  values <- lapply(names(tables), function(source) tables[[source]]$values[match$rows[, source], , drop = FALSE])
  counts <- vapply(tables, function(table) length(table$columns), integer(1))
  columns <- unlist(Map(function(source, table) paste0(source, ":", table$columns), names(tables), tables), use.names = FALSE)
  present <- matrix(as.double(!is.na(match$rows)), nrow(match$rows), ncol(match$rows))
  if (all(present == 1)) present <- matrix(0, 0L, 0L)
  list(values = do.call(cbind, values), columns = columns,
       categories = unlist(unname(lapply(tables, function(table) table$categories)), recursive = FALSE), named = TRUE,
       views = list(names = enc2utf8(names(tables)), of_column = rep(seq_along(tables), counts), missing = missing,
                    present = present),
       order = match$order)
}

# --- precomputed kernels ----------------------------------------------------------------------------------------------

# A list of matrices, from a matrix, a list, or an array of n x N x M, whose parts are copied.
gram_list <- function(x, what) {
  if (is.data.frame(x)) refuse(what, " is a data frame, but precomputed kernels are matrices")
  if (is.matrix(x)) x <- list(x)
  if (is_stack(x)) {
    parts <- lapply(seq_len(dim(x)[3L]), function(m) array(x[, , m], dim(x)[1:2]))
    x <- stats::setNames(parts, dimnames(x)[[3L]])
  }
  if (!is.list(x)) refuse(what, " is ", kind_of(x), ", but precomputed kernels are a matrix, a list of matrices or an array")
  if (length(x) == 0L) refuse(what, " is an empty list; give at least one kernel")
  Map(gram_matrix, x, gram_labels(x), what)
}

is_stack <- function(x) is.array(x) && length(dim(x)) == 3L

gram_matrix <- function(kernel, label, what) {
  if (is.null(kernel)) refuse(what, ": ", label, " is NULL; give a matrix")
  if (inherits(kernel, "Matrix")) kernel <- as.matrix(kernel)
  if (!is.matrix(kernel) || !(is.numeric(kernel) || is.logical(kernel)))
    refuse(what, ": ", label, " is ", kind_of(kernel), ", but it must be a matrix of numbers")
  if (typeof(kernel) != "double") storage.mode(kernel) <- "double"
  kernel
}

# Of a list or a stack; "" where there is none.
given_gram_names <- function(x) {
  names <- if (is_stack(x)) dimnames(x)[[3L]] else names(x)
  if (is.null(names)) return(rep("", if (is_stack(x)) dim(x)[3L] else length(x)))
  names[is.na(names)] <- ""
  enc2utf8(names)
}

# As the command calls kernels without names.
gram_names <- function(x) {
  names <- given_gram_names(x)
  ifelse(names == "", paste0("k", seq_along(names) - 1L), names)
}

# As refusals call them: by the names that the user gave, or counted from 1.
gram_labels <- function(x) {
  names <- given_gram_names(x)
  ifelse(names == "", paste("kernel", seq_along(names)), paste("the kernel", quoted(names)))
}

# Matrices and arrays of doubles are used where they are.
as_grams <- function(x) {
  kernels <- if (is_stack(x) && is.double(x)) x else gram_list(x, "x")
  names <- gram_names(kernels)
  if (anyDuplicated(names)) refuse("x has two kernels named ", quoted(names[anyDuplicated(names)]), "; rename one")
  sizes <- if (is_stack(kernels)) list(dim(kernels)[1:2]) else lapply(kernels, dim)
  labels <- gram_labels(kernels)
  for (m in seq_along(sizes)) check_gram_size(sizes[[m]], sizes[[1L]], labels[c(m, 1L)])
  if (sizes[[1L]][1L] == 0L || length(names) == 0L) refuse("x has no kernel of at least 2 samples; give one")
  list(kernels = kernels, names = names, labels = labels, n = sizes[[1L]][1L])
}

check_gram_size <- function(size, first, labels) {
  if (size[1L] != size[2L])
    refuse("x: ", labels[1L], " is ", size[1L], " x ", size[2L], ", but training kernels are square")
  if (size[1L] != first[1L])
    refuse("x: ", labels[1L], " has ", size[1L], " samples, but ", labels[2L], " has ", first[1L],
           "; all kernels must have the same size")
}

n_samples_of <- function(data) if (is.null(data$kernels)) nrow(data$values) else data$n

# Square symmetric matrices of the size of y may be kernels or tables: only the user knows.
refuse_ambiguous <- function(x, y) {
  if (!is.list(x) || is.data.frame(x) || length(x) == 0L || !all(vapply(x, is.matrix, logical(1)))) return()
  square <- vapply(x, function(one) is.numeric(one) && all(dim(one) == NROW(y)) && isSymmetric(unname(one)), logical(1))
  if (all(square))
    refuse("x is a list of symmetric matrices: say kernels = \"precomputed\" if these are kernels, or kernels = \"auto\" ",
           "if they are tables")
}
