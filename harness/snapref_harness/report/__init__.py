"""The dossier of `snapref report`: all claims, verdicts, evidence and figures, on one HTML page that needs no network.

Read in this order: `evidence` counts what the ledger has. `provenance` says which versions, machine and commit it comes
from. `trust` lists what is trusted. `figure` says what a figure is, `svg` draws, and `figures` has one module for each
picture. `page` puts all of it into page.html.j2, with style.css and script.js, in one file. Figures are inline SVG and
take their colours from the page.
"""
