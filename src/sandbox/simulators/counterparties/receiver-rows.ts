// Scenarios of hosted receivers: each answer given once, or several times.
import { ANSWERS, type AnswerName, type ReceiverAnswer } from '../receiver/index.ts';
import { sandboxCall, type Row } from './rows.ts';

interface Behaviour extends Pick<ReceiverAnswer, 'story' | 'ends' | 'outcome'> {
  readonly name: string;
  readonly exchange: AnswerName;
  readonly times: number;
}

const ONCE = Object.entries(ANSWERS).map(([name, answer]): Behaviour => {
  return { ...(answer as ReceiverAnswer), name, exchange: name as AnswerName, times: 1 };
});

/** Attempts of a delivery in all. */
const TRIES = 8;

const OFTEN: readonly Behaviour[] = [
  {
    name: 'wrong_three_times',
    exchange: 'fault',
    times: 3,
    story: 'Returns 500 three times, then 200.',
    ends: 'Retried under the same id with growing pauses, then delivered.',
    outcome: ['delivered', '500', 4],
  },
  {
    name: 'never_well',
    exchange: 'fault',
    times: TRIES,
    story: 'Returns 500 to every attempt.',
    ends: 'The delivery fails for good and can be replayed; the endpoint stays enabled.',
    outcome: ['dead', '500', TRIES],
  },
];

/** Single answers first. */
export const RECEIVER_ROWS: readonly Row[] = [...ONCE, ...OFTEN].map((one) => {
  const { name, exchange, times, story, ends, outcome } = one;
  const [state, code, tries] = outcome;
  const asked = times === 1 ? 'deliver' : `deliver, ${times} times`;
  const told = { asked, answered: ANSWERS[exchange].story };
  const after = tries > times ? [{ asked: 'deliver again', answered: ANSWERS.ok.story }] : [];
  return {
    name: `receiver.${name}`,
    kind: 'behaviour',
    story,
    steps: [told, ...after],
    ends,
    outcome: { of: 'delivery', state, code, moved: null, tries },
    needs: null,
    how: sandboxCall('sandboxCreateReceiver', 'receivers', { script: [{ exchange, times }] }),
  };
});
