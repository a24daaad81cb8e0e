"""The axes of a policy: how it forgets, detects, explores and is forced to explore."""

from driftbandit.rules import detect as detect
from driftbandit.rules import explore as explore
from driftbandit.rules import force as force
from driftbandit.rules import forget as forget
