package fairlead.server.openpai;

import fairlead.dialects.openpai.ExitStatus;
import fairlead.job.Job;

import java.nio.charset.StandardCharsets;

/**
 * One job of OpenPAI's list (O59), ready to be sent. It is written by hand: a list has tens of
 * thousands of them, and each is needed within microseconds.
 *
 * @param owner whose it is
 * @param user whose name it stands under; empty for a legacy job
 * @param json without a comma
 */
record JobRow(String owner, String user, byte[] json) {
    private static final int CHARS_USUAL = 320;

    static JobRow of(Job job) {
        PaiName name = PaiName.of(job);
        return new JobRow(job.owner(), name.user().orElse(""), json(job, name));
    }

    private static byte[] json(Job job, PaiName name) {
        var status = new JobStatus(job);
        var out = new StringBuilder(CHARS_USUAL);
        out.append("{\"name\":").append(quoted(name.job()));
        name.user().ifPresent(user -> out.append(",\"namespace\":").append(quoted(user)));
        out.append(",\"username\":").append(quoted(job.owner()));
        out.append(",\"state\":\"").append(status.state());
        out.append("\",\"subState\":\"").append(status.subState());
        out.append("\",\"executionType\":\"").append(status.executionType());
        out.append("\",\"retries\":").append(status.retries());
        out.append(",\"createdTime\":").append(status.createdTime());
        out.append(",\"completedTime\":").append(status.completedTime().orElse(null));
        out.append(",\"appExitCode\":").append(status.exit().map(ExitStatus::code).orElse(null));
        out.append(",\"virtualCluster\":").append(quoted(job.spec().project()));
        if (name.user().isEmpty()) out.append(",\"legacy\":true");
        return out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Names hold nothing to escape; an account of the machine might. */
    private static String quoted(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each < ' ' || each == '"' || each == '\\') return PaiJson.text(text);
        }
        return '"' + text + '"';
    }
}
