@echo off
rem The command of Fairlead for Windows: it needs a Java 25 or newer, and a server on another machine (fairlead login URL).
setlocal
set "JAVA_TOOL_OPTIONS="
set "JDK_JAVA_OPTIONS="
set "_JAVA_OPTIONS="
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 "-Dfairlead.dist=%~dp0." -cp "%~dp0lib\cli\*" fairlead.cli.Main %*
exit /b %ERRORLEVEL%
