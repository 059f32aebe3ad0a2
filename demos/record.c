/* record.c  Records a motion without ODE: a pendulum that this program integrates itself. Judge it
 * with `kinetostat judge pendulum.h5`.
 *
 *     cc record.c $(pkg-config --cflags --libs kinetostat-report) -lm */
#include <kinetostat/recording.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A rod of 1 kg and 1 m, its mass centre 0.5 m below the pivot at the origin, about the y axis; and
 * its inertia about the pivot. */
static const double mass = 1, arm = 0.5, across = 1.0 / 12, g = 9.81, h = 0.001;

static ksRecordedState stateAt(double angle, double rate)
{
    return (ksRecordedState){.position = {-arm * sin(angle), 0, -arm * cos(angle)},
                             .quaternion = {cos(angle / 2), 0, sin(angle / 2), 0},
                             .velocity = {-arm * rate * cos(angle), 0, arm * rate * sin(angle)},
                             .angularVelocity = {0, rate, 0}};
}

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        const int isHelp = argc == 2 && !strcmp(argv[1], "--help");
        if (argc == 2 && !isHelp)
            fprintf(stderr, "record: %s makes no sense here\n", argv[1]);
        fprintf(isHelp ? stdout : stderr, "usage: record FILE.h5\n\nRecords a motion that ODE did not make.\n");
        return isHelp ? 0 : 2;
    }
    double angle = 1.2, rate = 0;
    const ksRecordedBody rod = {
        .state = stateAt(angle, rate), .mass = mass, .inertia = {across, 0, 0, 0, across, 0, 0, 0, 1e-4}};
    const ksRecordedJoint pivot = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 1, 0}}, .name = "pivot"};
    ksRecordingOptions options;
    ksRecording *recording;
    ksRecordingOptionsInit(&options);
    options.gravity[2] = -g;
    ksStatus status = ksRecordingCreate(argv[1], &options, &recording);
    if (!status) {
        status = ksRecordingAddBody(recording, &rod, NULL);
        if (!status)
            status = ksRecordingAddJoint(recording, &pivot, NULL);
        for (int i = 0; i < 2000 && !status; i++) {
            status = ksRecordingBeginStep(recording, h, NULL, NULL);
            rate -= h * mass * g * arm * sin(angle) / (across + mass * arm * arm);
            angle += h * rate;
            const ksRecordedState after = stateAt(angle, rate);
            if (!status)
                status = ksRecordingEndStep(recording, &after, NULL);
        }
        const ksStatus closed = ksRecordingClose(recording);
        status = status ? status : closed;
    }
    if (status)
        fprintf(stderr, "record: %s\n", ksErrorMessage());
    return status != KS_OK;
}
