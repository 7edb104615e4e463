// Draws every chart that the page holds a place for. A chart is {id, kind: lines | bars | points, x, y, …}; the numbers and
// names come from the JSON element, all colours from the style sheet.
"use strict";
(() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const drawn = [];

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = (k) => k < 12 ? style(`--series-${k + 1}`) : `hsl(${(k * 137.5) % 360} 55% 50%)`;
  const faint = (text, alpha) => Chart.helpers.color(text).alpha(alpha).rgbString();
  // The end of a kernel's name tells the source, the beginning the type.
  const shortened = (text, most) =>
    text.length > most ? text.slice(0, Math.floor(most / 2) - 1) + "…" + text.slice(-Math.ceil(most / 2)) : text;
  const number = (value) => {
    const size = Math.abs(value);
    return size !== 0 && (size < 1e-3 || size >= 1e6) ? Number(value.toPrecision(3)).toExponential() : String(Number(value.toPrecision(4)));
  };

  /// Ticks of a log axis: the powers of ten, and 2 and 5 times them where there are few.
  const logTick = (value, _, ticks) => {
    const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
    const decades = Math.abs(Math.log10(ticks[ticks.length - 1].value / ticks[0].value));
    return digit === 1 || (decades < 2 && (digit === 2 || digit === 5)) ? number(value) : "";
  };

  /// Counts have no ticks between whole numbers.
  const wholeTick = (value) => Number.isInteger(value) ? number(value) : null;

  function axis(title, { log = false, whole = false, zero = false } = {}) {
    const colours = { tick: style("--soft"), line: style("--line") };
    return {
      type: log ? "logarithmic" : "linear",
      title: { display: true, text: title, color: colours.tick },
      grid: {
        color: (item) => zero && item.tick?.value === 0 ? colours.tick : colours.line,
        borderColor: colours.line,
      },
      ticks: { color: colours.tick, maxRotation: 0, includeBounds: false, callback: log ? logTick : whole ? wholeTick : number },
    };
  }

  function common(chart, legend) {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      plugins: {
        legend: {
          display: legend, position: "bottom",
          labels: { color: style("--ink"), boxHeight: 8, usePointStyle: true, pointStyleWidth: 14, generateLabels: symbols },
        },
        tooltip: { filter: (item) => Boolean(item.dataset.label), callbacks: { label: (item) => label(chart, item) } },
      },
    };
  }

  /// A legend shows what is drawn: a line as a line, dashed if it is, a point as a point.
  function symbols(chart) {
    return Chart.defaults.plugins.legend.labels.generateLabels(chart).map((item) => {
      const dataset = chart.data.datasets[item.datasetIndex];
      const symbol = chart.config.type === "bar" ? "rect" : dataset.showLine === false ? dataset.pointStyle ?? "circle" : "line";
      const colours = symbol === "line" ? { strokeStyle: dataset.borderColor, lineDash: dataset.borderDash ?? [] } : {};
      return { ...item, ...colours, pointStyle: symbol };
    });
  }

  function label(chart, item) {
    if (chart.kind === "bars") return `${item.dataset.label}: ${number(item.parsed.x)} ${chart.unit}`;
    return `${item.dataset.label}: ${number(item.parsed.y)} at ${chart.x} ${number(item.parsed.x)}`;
  }

  /// How a series looks: a plain line, one without points (smooth), one whose sign is filled in (signed), an area
  /// (filled), a limit (dashed), one of many (faint), a marker, one side of a filled band, intervals of single points
  /// (whiskers), or rows counted on an axis of their own in the background (density).
  function look(series, k) {
    const own = colour(series.colour ?? k);
    const plain = { borderColor: own, backgroundColor: own, borderWidth: 2, fill: false,
                    pointRadius: series.points.length > 25 ? 0 : 3.5 };
    const kinds = {
      smooth: { pointRadius: 0 },
      signed: { pointRadius: 0, fill: { target: "origin", above: faint(colour(0), 0.25), below: faint(colour(1), 0.3) } },
      filled: { pointRadius: 0, borderWidth: 1, backgroundColor: faint(own, 0.35), fill: "origin" },
      limit: { borderColor: style("--soft"), borderWidth: 1.5, borderDash: [5, 4], pointRadius: 0 },
      whiskers: { borderWidth: 1.5, borderColor: colour(0), pointRadius: 0 },
      density: { yAxisID: "rows", order: 1, borderWidth: 1, borderColor: faint(style("--soft"), 0.45),
                 backgroundColor: faint(style("--soft"), 0.2), fill: "origin", pointRadius: 0 },
      faint: { borderColor: faint(style("--soft"), 0.4), borderWidth: 1, pointRadius: 0 },
      marker: { showLine: false, pointRadius: 9, pointStyle: "rectRot", order: -1, pointBorderWidth: 2.5,
                borderColor: style("--ink"), backgroundColor: "transparent" },
      band: { borderColor: "transparent", backgroundColor: faint(own, 0.18), fill: "+1", pointRadius: 0 },
      edge: { borderColor: "transparent", pointRadius: 0 },
    };
    return Object.assign(plain, kinds[series.look]);
  }

  /// Lines through points.
  function lines(chart) {
    const datasets = chart.series.map((series, k) => ({
      label: series.name,
      data: series.points.map(([x, y]) => ({ x, y })),
      stepped: series.stepped ? "before" : false,
      clip: series.look === "density" ? 0 : 6,
      ...look(series, k),
    }));
    if (chart.bare) for (const dataset of datasets) dataset.pointRadius = 0;
    const named = datasets.filter((dataset) => dataset.label);
    const options = common(chart, chart.legend !== false && named.length > 1);
    options.plugins.legend.labels.filter = (item) => Boolean(item.text);
    options.interaction = { mode: "nearest", intersect: false };
    options.scales = {
      x: axis(chart.x, { log: chart.log_x, whole: chart.whole_x }),
      y: axis(chart.y, { log: chart.log_y, whole: chart.whole_y, zero: chart.zero }),
    };
    const counted = chart.series.filter((series) => series.look === "density").flatMap((series) => series.points);
    if (counted.length) options.scales.rows = { axis: "y", display: false, min: 0, max: 4 * Math.max(...counted.map(([, rows]) => rows)) };
    if (chart.reverse_x) options.scales.x.reverse = true;
    if (chart.from_start) options.scales.x.beginAtZero = true;
    if (chart.from_zero) Object.assign(options.scales.y, { beginAtZero: true, grace: "5%" });
    for (const [side, range] of [["x", chart.x_range], ["y", chart.y_range]])
      if (range) [options.scales[side].min, options.scales[side].max] = range;
    return { type: "line", data: { datasets }, options };
  }

  /// Horizontal bars, stacked when there are several series unless they are to stand apart. A single series that does has
  /// one colour for each sign.
  function bars(chart, canvas) {
    const alone = chart.apart && chart.series.length === 1;
    const datasets = chart.series.map((series, k) => ({
      label: series.name, data: series.values, borderWidth: 0, barPercentage: 0.8,
      backgroundColor: alone ? series.values.map((value) => colour(value < 0 ? 1 : 0)) : colour(series.colour ?? k),
    }));
    const options = common(chart, datasets.length > 1);
    options.indexAxis = "y";
    options.plugins.tooltip.callbacks.title = (items) => chart.labels[items[0].dataIndex];
    const x = axis(chart.x, { zero: chart.apart });
    x.beginAtZero = true;
    if (chart.x_range) [x.min, x.max] = chart.x_range;
    x.stacked = !chart.apart;
    const y = axis("");
    y.type = "category";
    y.title.display = false;
    y.stacked = !chart.apart;
    y.grid.display = false;
    y.ticks.color = style("--ink");
    y.ticks.autoSkip = false;
    const most = Math.max(12, Math.floor(canvas.parentElement.clientWidth / 15));
    y.ticks.callback = (_, k) => shortened(chart.labels[k], most);
    options.scales = { x, y };
    return { type: "bar", data: { labels: chart.labels, datasets }, options };
  }

  /// Single points, such as predictions against the truth.
  function points(chart) {
    const description = lines(chart);
    description.data.datasets.forEach((dataset, k) => {
      if (chart.series[k].look) return;
      const own = colour(chart.series[k].colour ?? k);
      Object.assign(dataset, { showLine: false, pointRadius: 3, backgroundColor: faint(own, 0.55), borderWidth: 0 });
    });
    return description;
  }

  const kinds = { lines, bars, points };

  function drawAll() {
    while (drawn.length) drawn.pop().destroy();
    Chart.defaults.font.size = matchMedia("print").matches ? 9.5 : 12;  // on paper, the 7 pt of other small print
    for (const chart of charts) {
      const canvas = document.getElementById(chart.id);
      drawn.push(new Chart(canvas, kinds[chart.kind](chart, canvas)));
    }
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  // Paper is white and of another width than the window.
  matchMedia("print").addEventListener("change", drawAll);
})();
