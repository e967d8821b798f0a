"""Pages of a batch for people: one for each student, one for the class. HTML made from stored grades, never read back.

    a record -> student.view_of -> templates/student.html
    all records -> entry.entry_of, one small value each -> gathering.Gathering -> templates/class.html

A page is one file that needs nothing else: no script, no font, no request. Jinja escapes every value, and every value
passes through `report.plain.printable` first, so what a student wrote can neither act nor hide. The policy in each
page's head forbids scripts even so.
"""
