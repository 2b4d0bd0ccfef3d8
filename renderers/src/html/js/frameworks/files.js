// Pages beside each other are found in the folder, not in a page.
() => ({ detect: () => null })
