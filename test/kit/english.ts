// Sets what the widget's code says to English, for tests that run it without a page.
import { textsOf } from '../../src/texts/index.ts';
import { setTexts } from '../../widget/flows/texts.ts';

setTexts(textsOf('en'));
