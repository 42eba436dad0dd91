package fairlead.server.logging;

import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger of a library that logs by SLF4J: its lines go into the server's own log. */
final class SystemLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    private final transient System.Logger log;

    SystemLogger(String name) {
        this.name = name;
        this.log = System.getLogger(name);
    }

    @Override
    public boolean isTraceEnabled() {
        return log.isLoggable(System.Logger.Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return log.isLoggable(System.Logger.Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return log.isLoggable(System.Logger.Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return log.isLoggable(System.Logger.Level.WARNING);
    }

    @Override
    public boolean isErrorEnabled() {
        return log.isLoggable(System.Logger.Level.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String pattern, Object[] arguments, Throwable cause) {
        String text = MessageFormatter.basicArrayFormat(pattern, arguments);
        log.log(level(level), text, cause);
    }

    private static System.Logger.Level level(Level level) {
        return switch (level) {
            case TRACE -> System.Logger.Level.TRACE;
            case DEBUG -> System.Logger.Level.DEBUG;
            case INFO -> System.Logger.Level.INFO;
            case WARN -> System.Logger.Level.WARNING;
            case ERROR -> System.Logger.Level.ERROR;
        };
    }
}
