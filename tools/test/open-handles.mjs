// Says on SIGUSR2 what keeps this process from ending: tools/test.mjs asks a jest that has not ended after its report.
process.on('SIGUSR2', () => console.error(process.getActiveResourcesInfo().join(', ')));
