import { MemorySubmissions } from '../../test/memory-submissions.js';
import { describeSubmissions } from '../../test/submission-suite.js';

describeSubmissions(() => new MemorySubmissions());
