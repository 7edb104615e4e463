// Draws every chart that the page holds a place for. A chart is {id, kind: lines | bars | points, x, y, …}; the numbers and
// names come from the JSON element, all colours from the style sheet.
"use strict";
(() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const drawn = [];

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = (k) => k < 8 ? style(`--series-${k + 1}`) : `hsl(${(k * 137.5) % 360} 55% 50%)`;
  const faint = (text, alpha) => Chart.helpers.color(text).alpha(alpha).rgbString();
  // The end of a kernel's name tells the source, the beginning the type.
  const shortened = (text, most) =>
    text.length > most ? text.slice(0, Math.floor(most / 2) - 1) + "…" + text.slice(-Math.ceil(most / 2)) : text;
  const number = (value) => {
    const size = Math.abs(value);
    return size !== 0 && (size < 1e-3 || size >= 1e5) ? Number(value.toPrecision(3)).toExponential() : String(Number(value.toPrecision(4)));
  };

  /// Ticks of a log axis: the powers of ten, and 2 and 5 times them where there are few.
  const logTick = (value, _, ticks) => {
    const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
    const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
    return digit === 1 || (decades < 2 && (digit === 2 || digit === 5)) ? number(value) : "";
  };

  function axis(title, log) {
    const colours = { tick: style("--soft"), line: style("--line") };
    return {
      type: log ? "logarithmic" : "linear",
      title: { display: true, text: title, color: colours.tick },
      grid: { color: colours.line, borderColor: colours.line },
      ticks: { color: colours.tick, maxRotation: 0, callback: log ? logTick : number },
    };
  }

  function common(chart, legend) {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      plugins: {
        legend: { display: legend, position: "bottom", labels: { color: style("--ink"), boxWidth: 14, boxHeight: 2 } },
        tooltip: { callbacks: { label: (item) => label(chart, item) } },
      },
    };
  }

  function label(chart, item) {
    if (chart.kind === "bars") return `${item.dataset.label}: ${number(item.parsed.x)} ${chart.unit}`;
    return `${item.dataset.label}: ${number(item.parsed.y)} at ${chart.x} ${number(item.parsed.x)}`;
  }

  /// How a series looks: a plain line, a limit (dashed), one of many (faint), a marker, or one side of a filled band.
  function look(series, k) {
    const own = colour(series.colour ?? k);
    const plain = { borderColor: own, backgroundColor: own, borderWidth: 2, fill: false,
                    pointRadius: series.points.length > 60 ? 0 : series.points.length > 25 ? 1.5 : 3 };
    const kinds = {
      dashed: { borderWidth: 1.5, borderDash: [5, 4], pointRadius: 0 },
      faint: { borderColor: faint(style("--soft"), 0.4), borderWidth: 1, pointRadius: 0 },
      marker: { showLine: false, pointRadius: 7, pointStyle: "rectRot" },
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
      ...look(series, k),
    }));
    const named = datasets.filter((dataset) => dataset.label);
    const options = common(chart, named.length > 1);
    options.plugins.legend.labels.filter = (item) => Boolean(item.text);
    options.interaction = { mode: "nearest", intersect: false };
    options.scales = { x: axis(chart.x, chart.log_x), y: axis(chart.y, chart.log_y) };
    if (chart.reverse_x) options.scales.x.reverse = true;
    if (!chart.log_y && chart.from_zero) options.scales.y.beginAtZero = true;
    for (const [side, range] of [["x", chart.x_range], ["y", chart.y_range]])
      if (range) [options.scales[side].min, options.scales[side].max] = range;
    return { type: "line", data: { datasets }, options };
  }

  /// Horizontal bars, stacked when there are several series.
  function bars(chart, canvas) {
    const datasets = chart.series.map((series, k) => ({
      label: series.name, data: series.values, backgroundColor: colour(k), borderWidth: 0, barPercentage: 0.8,
    }));
    const options = common(chart, datasets.length > 1);
    options.indexAxis = "y";
    options.plugins.legend.labels.boxHeight = 10;
    options.plugins.tooltip.callbacks.title = (items) => chart.labels[items[0].dataIndex];
    const x = axis(chart.x, false);
    x.beginAtZero = true;
    x.stacked = true;
    const y = axis("", false);
    y.type = "category";
    y.title.display = false;
    y.stacked = true;
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
      Object.assign(dataset, { showLine: false, pointRadius: 2.5, backgroundColor: faint(colour(k), 0.6), borderWidth: 0 });
    });
    return description;
  }

  const kinds = { lines, bars, points };

  function drawAll() {
    while (drawn.length) drawn.pop().destroy();
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
