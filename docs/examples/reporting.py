# What sellers earned and what was withheld, by month, as a table of pandas.
# Needs: pip install pandas SQLAlchemy "psycopg[binary]", and in REPORTING_URL what
# `holdfast reporting create` printed.
import os

import pandas
from sqlalchemy import create_engine

url = os.environ["REPORTING_URL"].replace("postgres://", "postgresql+psycopg://", 1)
fees = pandas.read_sql(
    """
    select date_trunc('month', f.at) as month, f.currency, f.gross_amount, f.amount,
      wire_id('acct', a.account_id) as seller
    from fees f join ledger_accounts a on a.ledger_account_id = f.wallet_id
    where f.kind = 'sale'
    """,
    create_engine(url),
)
table = fees.groupby(["month", "currency", "seller"])[["gross_amount", "amount"]].sum()
print(table.to_csv())
