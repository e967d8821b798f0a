"""A whole class: intake of export folders, the store of grades, and the files that platforms take back."""
