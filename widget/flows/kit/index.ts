// The kit's one entry: what screens are made of. Flows import from here and nothing deeper.
export { BackButton, Button, IconButton, RowButton, type ButtonProps } from './button.tsx';
export { ConfirmDialog, FormDialog } from './dialog.tsx';
export { DateField } from './date-field.tsx';
export { EMPTY_DATE, isoDate, partsOf, type DateParts } from './date.ts';
export { ExternalFrame } from './external-frame.tsx';
export { Notice, PoweredLine, Progress, Skeleton, Spinner, type Tone } from './feedback.tsx';
export { FileField } from './file-field.tsx';
export { SelectField, Switch, TextField, type FieldProps } from './fields.tsx';
export * from './icons.tsx';
export { amountText, minorDigits, moneyText, plainAmount } from './money-text.ts';
export { methodName } from './method-name.ts';
export { Money } from './money.tsx';
export { RadioGroup, RadioRow, Row, Rows, SwitchRow, type RowFace } from './rows.tsx';
export { Result, Screen } from './screen.tsx';
