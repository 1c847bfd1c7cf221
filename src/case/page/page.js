'use strict';
(function () {
  var STEP = 50;
  var place = document.getElementById('findings');
  if (!place) return;

  var all = Array.prototype.slice.call(place.children);
  document.querySelectorAll('template.findings').forEach(function (template) {
    all = all.concat(Array.prototype.slice.call(template.content.children));
  });
  var texts = new Array(all.length);
  var search = document.getElementById('search');
  var reason = document.getElementById('reason');
  var table = document.getElementById('table');
  var status = document.getElementById('status');
  var more = document.getElementById('more');
  var matching = all;
  var shown = 0;

  function textOf(index) {
    if (texts[index] === undefined) texts[index] = all[index].textContent.toLowerCase();
    return texts[index];
  }

  function offer(select, attribute) {
    var counts = new Map();
    all.forEach(function (finding) {
      var name = finding.getAttribute(attribute);
      counts.set(name, (counts.get(name) || 0) + 1);
    });
    Array.from(counts.keys()).sort().forEach(function (name) {
      if (name === '') return;
      var option = document.createElement('option');
      option.value = name;
      option.textContent = name + ' (' + counts.get(name) + ')';
      select.appendChild(option);
    });
    select.parentNode.hidden = select.options.length < 3;
  }

  /* 10,000, as the page itself writes it */
  function count(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  }

  /* It stands in print, too: of a page that is filtered, or not shown to its end, the paper must say so. */
  function say() {
    var text = matching.length === all.length ? count(all.length) + (all.length === 1 ? ' finding' : ' findings')
      : count(matching.length) + ' of ' + count(all.length) + ' findings match';
    status.textContent = shown < matching.length ? text + ', ' + count(shown) + ' shown' : text;
    more.hidden = shown >= matching.length;
    more.textContent = 'Show ' + Math.min(STEP, matching.length - shown) + ' more';
  }

  function show() {
    var part = document.createDocumentFragment();
    var until = Math.min(shown + STEP, matching.length);
    var first = matching[shown];
    for (; shown < until; shown++) part.appendChild(matching[shown]);
    place.appendChild(part);
    say();
    return first;
  }

  function filter() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    matching = all.filter(function (finding, index) {
      if (reason.value && finding.getAttribute('data-reason') !== reason.value) return false;
      if (table.value && finding.getAttribute('data-table') !== table.value) return false;
      if (!words.length) return true;
      var text = textOf(index);
      return words.every(function (word) { return text.indexOf(word) >= 0; });
    });
    place.replaceChildren();
    shown = 0;
    show();
  }

  var waiting = 0;
  search.addEventListener('input', function () {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  reason.addEventListener('change', filter);
  table.addEventListener('change', filter);
  document.getElementById('filter').addEventListener('submit', function (event) { event.preventDefault(); });
  more.addEventListener('click', function () {
    var first = show();
    if (first) {
      first.tabIndex = -1;
      first.focus();
    }
  });
  document.addEventListener('keydown', function (event) {
    if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (details) { details.open = true; });
  });

  offer(reason, 'data-reason');
  offer(table, 'data-table');
  document.getElementById('filter').hidden = false;
  filter();
}());
