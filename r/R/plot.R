# Pictures, by base graphics.

# The heaviest kernels, or the sources, as bars.
plot.spicymkl <- function(x, what = c("weights", "sources"), n = 20L, ...) {
  what <- one_of(what)
  values <- if (what == "weights") as.matrix(x$weights) else as.matrix(source_weights(x))
  sums <- rowSums(values)
  order <- utils::head(order(-sums), n)
  order <- rev(order[sums[order] > 0])
  if (length(order) == 0L) {
    graphics::plot.new()
    graphics::title("no kernel is active")
    return(invisible(x))
  }
  labels <- shortened(rownames(values)[order])
  widest <- max(graphics::strwidth(labels, units = "inches", cex = 0.8))
  old <- graphics::par(mai = c(0.9, min(widest + 0.3, 0.5 * graphics::par("din")[1L]), 0.6, 0.3))
  on.exit(graphics::par(old))
  several <- ncol(values) > 1L
  graphics::barplot(t(values[order, , drop = FALSE]), horiz = TRUE, names.arg = labels, las = 1, cex.names = 0.8,
                    border = NA, xlim = c(0, 1.05 * max(sums)), xlab = if (what == "weights") "kernel weight" else "sum of the weights of the source",
                    col = class_colours(ncol(values)),
                    legend.text = if (several) x$classes else NULL,
                    args.legend = list(x = "bottomright", bty = "n", border = NA, title = "class"), ...)
  hidden <- sum(sums > 0) - length(order)
  if (hidden > 0L) graphics::mtext(paste("and", hidden, "lighter ones"), side = 3, adj = 1, cex = 0.8)
  invisible(x)
}

source_weights <- function(x) {
  table <- source_table(x)
  matrix(unlist(table[-1L]), nrow(table), dimnames = list(table$source, names(table)[-1L]))
}

shortened <- function(names, most = 40L) {
  ifelse(nchar(names) > most, paste0(substr(names, 1L, most - 3L), "..."), names)
}

# Colours that everyone can distinguish, as long as they suffice.
class_colours <- function(count) {
  if (count > 7L) return(grDevices::hcl.colors(count, "Dark 3"))
  unname(grDevices::palette.colors(8L, "Okabe-Ito"))[c(6L, 7L, 4L, 2L, 8L, 3L, 5L)[seq_len(count)]]
}

# Weights or norms of the kernels against the strength of the penalty.
plot.spicymkl_path <- function(x, what = c("weights", "norms"), n_labels = 6L, ...) {
  what <- one_of(what)
  paths <- paths_of(x)
  if (length(paths) > 1L) {
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(paths)))
    on.exit(graphics::par(old))
  }
  for (k in seq_along(paths))
    draw_path(paths[[k]], what, n_labels, if (length(paths) > 1L) paste("class", names(paths)[k]), ...)
  invisible(x)
}

draw_path <- function(path, what, n_labels, title, ...) {
  values <- path[[what]]
  highest <- apply(values, 1L, max)
  ever <- order(-highest)[seq_len(sum(highest > 0))]
  shown <- utils::head(ever, n_labels)
  colours <- c(class_colours(length(shown)), rep("grey75", length(ever) - length(shown)))
  old <- graphics::par(mar = c(5, 4, 5, 2) + 0.1)
  on.exit(graphics::par(old))
  drawn <- rev(seq_along(ever))  # the highest last, above the others
  lines <- if (length(ever) == 0L) matrix(0, ncol(values), 1L) else t(values[ever[drawn], , drop = FALSE])
  graphics::matplot(path$alphas, lines, type = if (nrow(lines) > 1L) "l" else "p", pch = 19, lty = 1, lwd = 2,
                    col = colours[drawn], log = "x", xlim = rev(range(path$alphas)), xlab = "alpha, decreasing",
                    ylab = if (what == "weights") "kernel weight" else "norm of the kernel's part", ...)
  ticks <- unique(round(seq(1, length(path$alphas), length.out = 6L)))
  graphics::axis(3, at = path$alphas[ticks], labels = path$n_active[ticks], tick = FALSE, line = -0.8, cex.axis = 0.8)
  graphics::mtext("active kernels", side = 3, line = 1.2, cex = 0.8 * graphics::par("cex"))
  if (!is.null(title)) graphics::title(title, line = 3)
  if (length(shown) > 0L)
    graphics::legend("topleft", shortened(rownames(values)[shown]), col = colours[seq_along(shown)], lty = 1, lwd = 2,
                     bty = "n", cex = 0.8, title = if (length(ever) > n_labels) paste("highest", n_labels, "of", length(ever)))
}

# Score against the strength of the penalty, with its standard error over folds.
plot.cv.spicymkl <- function(x, ...) {
  points <- x$points[!is.na(x$points$mean), ]
  shape <- shape_of(points)
  shapes <- unique(shape)
  colours <- class_colours(length(shapes))
  spread <- ifelse(is.na(points$se), 0, points$se)
  graphics::plot(range(points$alpha), range(c(points$mean - spread, points$mean + spread)), type = "n", log = "x",
                 xlim = rev(range(points$alpha)), ylab = paste(x$metric, "over folds"),
                 xlab = if (x$relative) "alpha / alpha_max, decreasing" else "alpha, decreasing", ...)
  for (k in seq_along(shapes)) {
    own <- which(shape == shapes[k])
    graphics::segments(points$alpha[own], points$mean[own] - spread[own], y1 = points$mean[own] + spread[own],
                       col = "grey60")
    graphics::lines(points$alpha[own], points$mean[own], type = "b", pch = 19, col = colours[k])
  }
  graphics::abline(v = x$points$alpha[x$chosen], lty = 2)
  at <- points$alpha[shape == shape_of(x$points)[x$chosen]]
  graphics::axis(3, at = at, labels = round(points$n_active[shape == shape_of(x$points)[x$chosen]]), tick = FALSE,
                 line = -0.8, cex.axis = 0.8)
  graphics::mtext("active kernels", side = 3, line = 1.2, cex = 0.8 * graphics::par("cex"))
  if (length(shapes) > 1L) graphics::legend("topright", shapes, col = colours, pch = 19, lty = 1, bty = "n", cex = 0.8)
  invisible(x)
}

# What differs between points beside alpha.
shape_of <- function(points) {
  parts <- Filter(function(name) name %in% names(points) && length(unique(points[[name]])) > 1L, c("kernels", "l1_ratio", "q"))
  if (length(parts) == 0L) return(rep("", nrow(points)))
  do.call(paste, c(lapply(parts, function(name) if (name == "kernels") points[[name]] else paste(name, points[[name]])), sep = ", "))
}
