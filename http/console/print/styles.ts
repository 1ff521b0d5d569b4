/** A statement on paper: whatever the paper is, on a screen as on a sheet. */
export const printStyles = `
@page {
  margin: 16mm 14mm 18mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #444; }
}
* { box-sizing: border-box; margin: 0; }
html { color-scheme: light; background: #fff; }
body {
  font: 9pt/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
  color: #111; background: #fff; max-width: 210mm; margin: 0 auto; padding: 8mm 6mm;
}
.tools { display: flex; flex-wrap: wrap; gap: 1rem; padding-bottom: 1rem; font-size: 11pt; }
.tools a { color: #0a5f4f; }
h1 { font-size: 16pt; line-height: 1.2; }
h2 { font-size: 11pt; margin: 6mm 0 1.5mm; break-after: avoid; }
.party { font-size: 12pt; font-weight: 600; margin-top: 1mm; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(42mm, 1fr)); gap: 1.5mm 4mm; margin-top: 4mm; break-inside: avoid; }
dt { color: #444; font-size: 8pt; }
dd { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; font-size: 11pt; font-weight: 700; padding: 6mm 0 1.5mm; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 0.9mm 1.2mm; text-align: left; vertical-align: top; border-bottom: 0.2mm solid #ccc; }
thead th { border-bottom: 0.4mm solid #111; font-size: 8pt; vertical-align: bottom; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.at { white-space: nowrap; font-variant-numeric: tabular-nums; }
td small { display: block; color: #444; font-size: 7.5pt; }
.id { overflow-wrap: anywhere; font-size: 8pt; }
.total td, .total th { font-weight: 700; border-top: 0.4mm solid #111; border-bottom: 0; }
.together { break-inside: avoid; }
.end td { border-top: 0.4mm solid #111; border-bottom: 0; }
.sum { display: flex; justify-content: space-between; gap: 4mm; font-weight: 700; padding-bottom: 5mm; }
.digest { font-size: 8pt; color: #444; margin-top: 1mm; }
.digest code { font: 7.5pt/1.4 ui-monospace, "Liberation Mono", monospace; color: #111; overflow-wrap: anywhere; }
@media print {
  body { max-width: none; padding: 0; }
  .tools { display: none; }
  .scroll { overflow: visible; }
}
`
