/** The console's style: dense where many lines are compared, a line a row on wide screens, one column on a phone. */
import { chartStyles } from '../pages/chart-styles.ts'
import { tokenStyles } from '../pages/tokens.ts'

export const consoleStyles = `${tokenStyles}${chartStyles}
h1 { font-size: 1.375rem; line-height: 1.25; }
h2 { font-size: 1.0625rem; margin-top: var(--space-5); }
h2 small, label small { font-weight: 400; color: var(--muted); font-size: var(--text-small); }
body { min-height: 100vh; display: grid; grid-template-rows: auto auto 1fr auto; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: var(--space-2); top: var(--space-2); background: var(--surface); padding: var(--space-2); z-index: 2; }
main:focus { outline: none; }
.top {
  display: flex; align-items: center; gap: var(--space-2) var(--space-3); flex-wrap: wrap;
  padding: var(--space-2) var(--space-4); background: var(--surface); border-bottom: 1px solid var(--line);
}
.top .name { font-weight: 700; color: var(--ink); text-decoration: none; }
.find { flex: 1 1 16rem; max-width: 40rem; display: flex; gap: var(--space-2); order: 1; }
.find input:not([type=checkbox]), .find > button { white-space: nowrap; padding-block: var(--space-1); min-width: 0; min-height: 0; font-size: var(--text-small); }
.find input { text-overflow: ellipsis; }
.find > button { flex: none; }
.who { margin-left: auto; order: 2; display: flex; align-items: center; gap: var(--space-2); }
.who small { color: var(--muted); }
.rooms { background: var(--surface); border-bottom: 1px solid var(--line); padding: var(--space-1) var(--space-4); }
.rooms > button { min-height: 2.5rem; padding: var(--space-1) var(--space-3); }
.rooms ul { list-style: none; margin: 0; padding: 0; }
.rooms p { color: var(--muted); font-size: var(--text-small); }
.rooms a {
  display: block; padding: var(--space-2) var(--space-3); color: var(--ink); text-decoration: none; white-space: nowrap;
  border-left: 3px solid transparent;
}
.rooms a:hover { text-decoration: underline; }
.rooms [aria-current] { border-color: var(--accent); font-weight: 600; }
.count {
  display: inline-block; min-width: 1.5em; padding: 0 0.4em; border-radius: 1em; text-align: center;
  background: var(--stopped-surface); color: var(--stopped-ink); font-size: var(--text-small); font-weight: 600;
}
main { padding: var(--space-4); min-width: 0; width: 100%; max-width: 100rem; }
main > * + * { margin-top: var(--space-3); }
main > h2 { margin-top: var(--space-5); }
.toast { flex: 1 0 100%; margin: 0; order: 3; }
.live-state { margin: var(--space-3) var(--space-4) 0; }
footer { padding: var(--space-4); color: var(--muted); font-size: var(--text-small); }
.crumb { font-size: var(--text-small); margin-bottom: var(--space-1); color: var(--muted); }
.crumb ol { display: flex; flex-wrap: wrap; gap: 0 var(--space-2); list-style: none; padding: 0; }
.crumb li { min-width: 0; overflow-wrap: anywhere; }
.crumb li + li::before { content: '›' / ''; margin-right: var(--space-2); color: var(--muted); }
.crumb + h1 { margin-top: 0; }
.lead, .empty, .hint, small { color: var(--muted); }
.empty {
  padding: var(--space-3) var(--space-4); border: 1px dashed var(--line); border-radius: var(--radius);
}
small { font-size: var(--text-small); }
.nothing { color: var(--muted); }
code, pre { font-family: var(--font-code); font-size: 0.9em; }
dd code, .secret { user-select: all; }
td small, dd small { display: block; }
.explained { display: grid; gap: 1px; background: var(--line); border: 1px solid var(--line); font-size: var(--text-small); }
.explained > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 var(--space-4); padding: var(--space-2) var(--space-3); background: var(--surface); }
.explained dt { font-weight: 600; overflow-wrap: anywhere; }
.explained dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.explained .badge { white-space: normal; }
.explained .said { color: var(--muted); }
@media (min-width: 48rem) {
  .explained > div { grid-template-columns: minmax(0, 18rem) minmax(0, 1fr); }
  .explained .said { grid-column: 2; }
}
.list td small { display: inline; margin-left: var(--space-2); }
ul.lead { margin: 0; padding-left: var(--space-5); }
dd, .long { overflow-wrap: anywhere; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; position: relative; }
dd time { white-space: normal; }
time[data-told] { border-bottom: 1px dotted var(--muted); }
time[data-told]:hover::after, tr:focus-within time[data-told]::after {
  content: attr(data-told); position: absolute; left: 0; bottom: 100%; z-index: 3; padding: 0 var(--space-2);
  background: var(--ink); color: var(--page); border-radius: var(--space-1); pointer-events: none;
}
.facts dd:has(> .copy) { display: flex; gap: var(--space-1); align-items: flex-start; }
.facts dd:has(> .copy) > :first-child { min-width: 0; }
.facts dd:has(> .copy):has(small) { flex-wrap: wrap; }
.facts dd:has(> .copy) > small { flex-basis: 100%; }
.copy {
  flex: none; min-width: 1.5rem; min-height: 1.5rem; padding: 0 var(--space-1); margin-left: var(--space-1); background: none; color: var(--muted);
  border: 0; font-size: 0.75rem; font-weight: 400; line-height: 1; vertical-align: middle;
}
.copy:hover { color: var(--accent); }
.copy svg { display: block; margin: auto; }
.badge { display: inline-block; padding: 0 0.6em; border-radius: 1em; font-size: var(--text-small); font-weight: 600; white-space: nowrap; }
.badge.plain, .notice.plain { background: var(--page); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
.badge.good, .notice.good { background: var(--ready-surface); color: var(--ready-ink); }
.badge.waiting, .notice.waiting { background: var(--waiting-surface); color: var(--waiting-ink); }
.badge.busy, .notice.busy { background: var(--busy-surface); color: var(--busy-ink); }
.badge.bad, .notice.bad { background: var(--stopped-surface); color: var(--stopped-ink); }
.notice { padding: var(--space-3) var(--space-4); border-radius: var(--space-2); }
.notice p { margin-top: var(--space-1); }
.notice a { color: inherit; }
.file { text-align: right; font-size: var(--text-small); }
main > .file + table { margin-top: var(--space-1); }
.secret { font-size: 1.1em; overflow-wrap: anywhere; white-space: pre-line; }
.idle { margin: var(--space-3) var(--space-4) 0; position: sticky; top: 0; z-index: 2; }
.code-to-scan { max-width: 16rem; margin: var(--space-4) 0; forced-color-adjust: none; }
.links { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4); }
.links:has(.button) { gap: var(--space-2); }
a.button { display: inline-flex; align-items: center; }
.links .button + a:not(.button) { margin-left: var(--space-2); }
.acts > .links { display: contents; }
.acts > .links > a:not(.button) { align-self: center; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: var(--space-3); list-style: none; padding: 0; margin: var(--space-3) 0 0; }
.tiles.wide { grid-template-columns: 1fr; }
.tiles li { background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); }
.tiles a, .tiles li:not(:has(a)) { display: block; padding: var(--space-3); color: inherit; text-decoration: none; }
.tiles a:hover span { text-decoration: underline; }
.tiles strong { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles span, .tiles small { font-size: var(--text-small); }
.tiles span { display: block; }
.tiles small { color: inherit; }
.tiles .bad { background: var(--stopped-surface); color: var(--stopped-ink); border-color: transparent; }
.tiles .waiting { background: var(--waiting-surface); color: var(--waiting-ink); border-color: transparent; }
.tiles .good { background: var(--ready-surface); color: var(--ready-ink); border-color: transparent; }
.facts { font-size: 0.9375rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0 var(--space-4); background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); padding: var(--space-1) var(--space-4); }
.facts > div { padding: var(--space-1) 0; min-width: 0; }
.facts code { font-size: 0.8em; }
.facts dt { color: var(--muted); font-size: var(--text-small); }
table { width: 100%; border-collapse: collapse; background: var(--surface); border: 1px solid var(--line); font-size: var(--text-small); font-variant-numeric: tabular-nums; }
td { overflow-wrap: break-word; }
td small, td code { overflow-wrap: anywhere; }
th { overflow-wrap: normal; }
th, td { text-align: left; padding: 0.375rem 0.625rem; vertical-align: top; }
th { color: var(--muted); font-weight: 600; position: sticky; top: 0; z-index: 2; background: var(--surface); box-shadow: inset 0 -1px var(--line); }
th a { color: inherit; text-decoration: none; }
th a:hover { text-decoration: underline; }
[aria-sort=ascending] a, [aria-sort=descending] a { color: var(--ink); }
tbody tr + tr { border-top: 1px solid var(--line); }
.right { text-align: right; font-variant-numeric: tabular-nums; }
.whole { white-space: nowrap; }
.source, .drawing { overflow: auto; background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); padding: var(--space-3); max-height: 40rem; }
.drawing { max-height: none; overscroll-behavior-x: contain; }
.drawing svg { display: block; height: auto; margin: 0 auto; }
.drawing[data-pans] { cursor: grab; }
.drawing[data-pans]:active { cursor: grabbing; user-select: none; }
.zoom { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); margin: 0 0 var(--space-2); padding: 0; border: 0; font-size: var(--text-small); }
.zoom legend { float: left; margin-right: var(--space-2); color: var(--muted); }
.zoom label { display: flex; gap: var(--space-1); align-items: center; }
.chart-frame:has([value=whole]:checked) svg { width: 100%; }
.chart-frame:has([value="150"]:checked) svg { zoom: 1.5; }
.chart-frame:has([value="200"]:checked) svg { zoom: 2; }
.source pre { margin: 0; white-space: pre-wrap; }
.acts { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: start; }
.act.main { flex: 1 1 100%; }
button.quiet.warns { color: var(--stopped-ink); }
@supports not selector(:popover-open) {
  .acts > .panel { display: block; position: static; flex: 1 1 100%; height: auto; width: auto; box-shadow: none; }
}
.fold { background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); }
.fold > summary { padding: var(--space-2) var(--space-4); cursor: pointer; font-weight: 600; color: var(--accent); }
.fold > :not(summary) { margin: 0 var(--space-4) var(--space-4); }
.act { background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); }
.act.main { padding-top: var(--space-4); }
.act form { padding: 0 var(--space-4) var(--space-4); display: grid; gap: var(--space-3); max-width: 34rem; }
.panel {
  position: fixed; inset: 0 0 0 auto; margin: 0; width: min(36rem, 100%); max-width: 100%; height: 100%; max-height: 100%; overflow: auto; z-index: 5;
  background: var(--surface); color: var(--ink); border: 0; border-left: 1px solid var(--line); padding: var(--space-4) var(--space-5);
  box-shadow: 0 0 2rem rgb(0 0 0 / 0.35);
}
.panel::backdrop { background: rgb(0 0 0 / 0.35); }
.panel-head { display: flex; justify-content: space-between; align-items: baseline; gap: var(--space-3); margin-bottom: var(--space-3); }
.panel-head h2 { margin: 0; }
.panel > .notice { margin-bottom: var(--space-3); }
.panel-head button { flex: none; white-space: nowrap; }
.panel form { display: grid; gap: var(--space-3); grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); align-items: start; }
.books { display: grid; gap: var(--space-1); padding: var(--space-2) var(--space-3); border-left: 3px solid var(--accent); grid-column: 1 / -1; }
.books ul { margin: 0; padding: 0; list-style: none; display: grid; gap: var(--space-1); }
.books li { display: flex; flex-wrap: wrap; gap: 0 var(--space-3); font-variant-numeric: tabular-nums; }
.panel form > p, .panel form > button, .panel .field:has(textarea, [type=file], .check) { grid-column: 1 / -1; }
textarea.code { font-family: var(--font-code); font-size: var(--text-small); }
.field label { display: block; font-weight: 600; margin-bottom: var(--space-1); }
.field .check { font-weight: 400; display: flex; gap: var(--space-2); align-items: baseline; }
.hint { font-size: var(--text-small); margin-top: var(--space-1); }
.problem { font-size: var(--text-small); margin-top: var(--space-1); color: var(--stopped-ink); font-weight: 600; }
input[aria-invalid]:not([type=checkbox]) { border-color: var(--stopped-ink); }
input:not([type=checkbox], [type=radio]), select, textarea {
  width: 100%; padding: var(--space-2) var(--space-3); border: 1px solid var(--field); border-radius: var(--space-2);
  background: var(--surface); color: var(--ink); font: inherit;
}
input:is([type=date], [type=datetime-local]):focus-within, select:focus-visible, textarea:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, .button {
  justify-self: start; padding: var(--space-2) var(--space-4); border: 1px solid transparent; border-radius: var(--space-2);
  background: var(--accent); color: var(--on-accent); font: 600 var(--text)/1.5 var(--font-text); cursor: pointer;
  text-decoration: none; display: inline-block; min-height: 2.75rem;
}
button.danger { background: var(--stopped-ink); color: var(--surface); }
button.quiet, .button.quiet { background: none; color: var(--accent); border-color: var(--field); }
button.link { min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400; text-decoration: underline; }
button[disabled] { opacity: 0.6; }
.filters { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: end; font-size: var(--text-small); }
.filters:has(.problem) { align-items: start; }
.filters .field { flex: 1 1 8.25rem; max-width: 20rem; }
.filters .field label { margin-bottom: 0; font-size: 0.8125rem; white-space: nowrap; }
.filters .field > :not(label) { width: 0; min-width: 100%; }
.filters input:not([type=checkbox]), .filters select, .filters > button { padding: var(--space-1) var(--space-2); min-height: 2.25rem; font-size: var(--text-small); }
.filters > button { align-self: end; }
.month .weekdays, .month ul { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: var(--space-1); list-style: none; margin: 0; padding: 0; }
.month .weekdays { color: var(--muted); font-size: var(--text-small); margin-bottom: var(--space-1); }
.month li { border: 1px solid var(--line); border-radius: var(--space-1); background: var(--surface); font-size: var(--text-small); }
.month li.none { border: 0; background: none; }
.month li a { display: block; min-height: 2.75rem; padding: var(--space-1) var(--space-2); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.month li a:hover { text-decoration: underline; }
.month li span { display: block; }
.month li .short { display: none; }
.month li.good { background: var(--ready-surface); color: var(--ready-ink); }
.month li.waiting { background: var(--waiting-surface); color: var(--waiting-ink); }
.month li.busy { background: var(--busy-surface); color: var(--busy-ink); }
.month li.bad { background: var(--stopped-surface); color: var(--stopped-ink); }
.bars { background: var(--surface); border: 1px solid var(--line); border-radius: var(--space-2); padding: var(--space-3); }
.bars svg { display: block; width: 100%; }
.bars line { stroke: var(--line); }
.bars text { font-size: 10px; fill: var(--muted); }
.bars .axis { text-anchor: end; font-variant-numeric: tabular-nums; }
.bars rect.good { fill: var(--accent); } .bars rect.plain { fill: var(--field); } .bars rect.bad { fill: var(--stopped-ink); }
.key::before { content: ''; display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.4em; border-radius: 2px; }
.key { margin-right: var(--space-3); font-size: var(--text-small); }
.key.good::before { background: var(--accent); } .key.plain::before { background: var(--field); } .key.bad::before { background: var(--stopped-ink); }
.alone main { max-width: 30rem; margin: 0 auto; }
@media (max-width: 63.99rem) {
  .rooms > [popover] {
    inset: 0 0 auto; width: auto; max-width: none; margin: 0; padding: var(--space-3) var(--space-4) var(--space-4); border: 0; border-bottom: 1px solid var(--line);
    background: var(--surface); color: var(--ink); box-shadow: 0 0 2rem rgb(0 0 0 / 0.35);
  }
  .rooms > [popover]::backdrop { background: rgb(0 0 0 / 0.35); }
  .rooms ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); margin-bottom: var(--space-2); }
}
@media (max-width: 47.99rem) {
  .month li .whole { display: none; } .month li .short { display: block; }
  .month li a { padding: var(--space-1) 0; text-align: center; font-size: 0.6875rem; overflow-wrap: normal; }
  .bars text { font-size: 22px; } .bars text:not(.main) { display: none; }
  .facts > div:has([data-copy]) { grid-column: 1 / -1; }
  .facts .whole { white-space: normal; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tbody tr { padding: var(--space-2) var(--space-3); }
  .list tbody tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-3); padding: 0.2rem var(--space-3); font-size: 0.8125rem; }
  table:not(.list) td { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: var(--space-2); padding: var(--space-1) 0; text-align: left; min-width: 0; }
  .list td { padding: 0; min-width: 0; max-width: 100%; line-height: 1.25; }
  .list td :is(small, .badge) { font-size: inherit; }
  .list td.cut { flex: 1 1 6rem; }
  .list td.cut > div { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  table:not(.list) td > div { min-width: 0; overflow-wrap: anywhere; }
  table:not(.list) td time, table:not(.list) td .whole, table:not(.list) td .badge { white-space: normal; }
  td.right { text-align: left; }
  td:has(.nothing) { display: none !important; }
  table:not(.list) td::before { content: attr(data-label); color: var(--muted); font-size: var(--text-small); }
}
@media (min-width: 48rem) {
  .acts > button, .links > .button { min-height: 2.25rem; padding: 0.25rem var(--space-3); font-size: var(--text-small); }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); }
  .tiles.wide { display: flex; flex-wrap: wrap; }
  .tiles.wide li { width: min-content; min-width: 11rem; overflow-wrap: normal; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }
  main > h2:has(+ .file) { padding-right: 14rem; }
  main > h2 + .file { margin-top: -1.5rem; }
  main { padding: var(--space-4) var(--space-5); }
  td a code { white-space: nowrap; }
  td .long { display: inline-block; min-width: 12rem; }
  table:not(.list) td > div > a[title] { display: inline-block; max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
}
@media (min-width: 64rem) {
  .list td > div { white-space: nowrap; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
  .list th { white-space: nowrap; max-width: 7.25rem; font-size: 0.8125rem; overflow: hidden; text-overflow: ellipsis; }
  .list th, .list td { padding-inline: 0.375rem; }
  .list tr:has(td.cut) td:not(.cut) > div { max-width: 20rem; }
  .list td.cut { max-width: 0; width: 50%; }
  .list td.cut > div { max-width: none; }
  .list tr:not(:has(td.cut ~ td.cut)) td.cut { width: 100%; }
  .list td.cut > div { overflow: hidden; text-overflow: ellipsis; }
  .list td .long { display: inline; min-width: 0; }
  body:not(.alone) { grid-template: auto 1fr auto / 11rem minmax(0, 1fr); }
  .top, footer { grid-column: 1 / -1; }
  .rooms { border-bottom: 0; border-right: 1px solid var(--line); padding: 0; }
  .rooms > button { display: none; }
  .rooms > [popover] {
    display: block; position: sticky; inset: 0 auto auto; width: auto; height: auto; margin: 0; padding: 0 0 var(--space-3); overflow: visible;
    background: none; color: inherit; border: 0;
  }
  .rooms p { padding: var(--space-3) var(--space-4) 0 calc(var(--space-4) + 3px); }
  .rooms a { padding: 0.25rem var(--space-4); }
}
@media print {
  .top, .rooms, .zoom, .acts, .filters, footer { display: none !important; }
  body:not(.alone) { display: block; }
  main { max-width: none; padding: 0; }
  .drawing { border: 0; padding: 0; overflow: visible; break-inside: avoid; }
  .chart-frame .drawing svg { zoom: 1; max-width: 100%; }
}
`
