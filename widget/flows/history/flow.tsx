// An account's history: done and pending transactions, each of which opens. Returns to the same
// place in the list afterwards. [public-facts 4.3, 4.8]
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { BackButton, PoweredLine, Screen } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { methodsOf } from '../methods/load.ts';
import { CloseCorner } from './close-corner.tsx';
import { TransactionScreen } from './details.tsx';
import { HeldNote } from './held-note.tsx';
import { TransactionList } from './list.tsx';
import type { Transaction } from './records.ts';
import { Tabs } from './tabs.tsx';
import { t } from '../texts.ts';

const TABS = [
  {
    name: 'history.completed',
    // A failed transaction was pending before: it must not vanish.
    statuses: 'processed,payout-failed,error',
    empty: 'history.completed_empty',
  },
  { name: 'history.pending', statuses: 'pending', empty: 'history.pending_empty' },
] as const;

export function HistoryFlow({ context }: { readonly context: FlowContext }) {
  const { txnHistoryTabIndex = 0 } = context.config;
  const [tab, setTab] = useState<number>(txnHistoryTabIndex);
  const [open, setOpen] = useState<Transaction | null>(null);
  const methods = useMethods(context, open !== null);
  const list = useRef<HTMLDivElement>(null);
  const shown = TABS[tab] ?? TABS[0];
  const back = (): void => {
    const { transaction_id } = open as Transaction;
    setOpen(null);
    // Once the list is rendered again.
    setTimeout(() => {
      const row = `[data-test="transaction-${transaction_id}"]`;
      list.current?.querySelector<HTMLElement>(row)?.focus();
    });
  };
  return (
    <>
      <div ref={list} hidden={open !== null}>
        <Screen name="history" title={t('history.title')} above={<CloseCorner context={context} />}>
          <HeldNote context={context} />
          <Tabs
            label={t('history.title')}
            names={TABS.map(({ name }) => t(name))}
            at={tab}
            onChoose={setTab}
          >
            <TransactionList
              key={tab}
              context={context}
              statuses={shown.statuses}
              empty={t(shown.empty)}
              onOpen={setOpen}
            />
          </Tabs>
          <PoweredLine />
        </Screen>
      </div>
      {open !== null && (
        <TransactionScreen
          one={open}
          methods={methods}
          above={<BackButton test="back" onClick={back} />}
        />
      )}
    </>
  );
}

/** Names of methods, for the first opened transaction, which can be read without them too. */
function useMethods(context: FlowContext, wanted: boolean): readonly PaymentMethod[] {
  const [methods, setMethods] = useState<readonly PaymentMethod[]>([]);
  useEffect(() => {
    if (wanted && methods.length === 0) methodsOf(context).then(setMethods, () => {});
  }, [wanted]);
  return methods;
}
