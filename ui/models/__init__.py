"""What each part of the screen shows, as plain data: no Kivy in here."""
