// The figures of matching with their targets: each is the worst of all populations.
import type { FigureSpec } from './figures.ts';

const F1 = {
  unit: '',
  digits: 4,
  tells: 'lowest',
  bar: { sense: 'at least', value: 0.997 },
} as const;

function strangers(size: 'small' | 'large', what: string): FigureSpec[] {
  const highest = { unit: '', digits: 2, tells: 'highest' } as const;
  const of = (text: string): string => `matching, ${text}, ${what}`;
  return [
    {
      key: `matching.${size}.matched`,
      label: of('of 1,000 strangers matched'),
      ...highest,
      bar: { sense: 'at most', value: 1 },
    },
    {
      key: `matching.${size}.review`,
      label: of('of 1,000 strangers to review'),
      ...highest,
      bar: { sense: 'at most', value: 5 },
    },
    {
      key: `matching.${size}.p99`,
      label: of('one look-up, p99'),
      ...highest,
      unit: 'ms',
      bar: { sense: 'at most', value: 20 },
    },
  ];
}

export const MATCHING_FIGURES: readonly FigureSpec[] = [
  { key: 'matching.dataset1.f1', label: 'matching, F1 of pairs, Febrl data set 1', ...F1 },
  { key: 'matching.dataset2.f1', label: 'matching, F1 of pairs, Febrl data set 2', ...F1 },
  { key: 'matching.peoples.f1', label: 'matching, F1 of pairs, the worst population', ...F1 },
  {
    key: 'matching.splink',
    label: 'matching, F1 less than that of Splink, at most of all sets',
    unit: '',
    digits: 4,
    tells: 'highest',
    bar: { sense: 'at most', value: 0.002 },
  },
  {
    key: 'matching.uneven',
    label: 'matching, pairs that tell more one way round than the other',
    unit: '',
    digits: 0,
    tells: 'sum',
    bar: { sense: 'at most', value: 0 },
  },
  ...strangers('small', '30,000 stored'),
  ...strangers('large', 'all persons stored'),
  {
    key: 'matching.calibration',
    label: 'matching, mean distance of score and truth from 0.5 up',
    unit: '',
    digits: 3,
    bar: { sense: 'at most', value: 0.05 },
  },
  {
    key: 'matching.memory',
    label: 'matching, memory that the stored persons add to a process',
    unit: 'MB',
    digits: 0,
    bar: { sense: 'at most', value: 200 },
  },
];
