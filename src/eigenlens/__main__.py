"""`python -m eigenlens`: the same as the program `eigenlens`."""

from eigenlens.cli.main import app

if __name__ == "__main__":
    app(prog_name="eigenlens")
