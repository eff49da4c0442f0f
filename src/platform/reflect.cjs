// A file of its own, which is loaded before `require.cjs`: bundlers may evaluate tsyringe as soon as a file that names it is
// loaded, and it stops where `Reflect` cannot keep metadata yet. The call is not inside the try, where some would leave it out.
const load = () => require('reflect-metadata');

const failureOf = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
};

exports.failure = failureOf(load);
