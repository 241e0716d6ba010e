"""What can be done besides playing, each written once as a menu (`companion.rules.menu`). Screen and ear each say it in
their own way; a page is drawn by hand only where drawing helps."""
