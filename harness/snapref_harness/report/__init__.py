"""The dossier: everything that an auditor files, as one page that needs no network.

`evidence` and `provenance` gather, `figures` draw, `page` puts it together. The page is page.html.j2, style.css and
script.js in one file; figures are inline SVG that takes its colours from the page.
"""
